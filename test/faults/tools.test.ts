import { proveFaults } from '../support/pages/fault.ts';
import { toolFaults } from './tools.ts';

proveFaults(toolFaults);
