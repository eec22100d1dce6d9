import { defineFaultTests } from '../support/pages/fault.ts';
import { identityFaults } from './identity.ts';

defineFaultTests(identityFaults);
