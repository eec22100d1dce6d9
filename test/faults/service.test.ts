import { defineFaultTests } from '../support/pages/fault.ts';
import { serviceFaults } from './service.ts';

defineFaultTests(serviceFaults);
