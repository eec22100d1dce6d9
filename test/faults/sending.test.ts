import { defineFaultTests } from '../support/pages/fault.ts';
import { sendingFaults } from './sending.ts';

defineFaultTests(sendingFaults);
