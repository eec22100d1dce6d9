import { proveFaults } from '../support/fault.ts';
import { toolFaults } from './tools.ts';

proveFaults(toolFaults);
