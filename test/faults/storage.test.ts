import { defineFaultTests } from '../support/pages/fault.ts';
import { storageFaults } from './storage.ts';

defineFaultTests(storageFaults);
