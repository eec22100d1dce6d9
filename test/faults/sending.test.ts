import { proveFaults } from '../support/pages/fault.ts';
import { sendingFaults } from './sending.ts';

proveFaults(sendingFaults);
