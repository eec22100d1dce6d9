import { proveFaults } from '../support/pages/fault.ts';
import { turnFaults } from './turn.ts';

proveFaults(turnFaults);
