import { proveFaults } from '../support/fault.ts';
import { sendingFaults } from './sending.ts';

proveFaults(sendingFaults);
