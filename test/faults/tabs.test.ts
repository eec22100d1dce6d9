import { defineFaultTests } from '../support/pages/fault.ts';
import { tabFaults } from './tabs.ts';

defineFaultTests(tabFaults);
