import { proveFaults } from '../support/fault.ts';
import { turnFaults } from './turn.ts';

proveFaults(turnFaults);
