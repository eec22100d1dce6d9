import { defineFaultTests } from '../support/pages/fault.ts';
import { toolFaults } from './tools.ts';

defineFaultTests(toolFaults);
