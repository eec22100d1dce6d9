import { defineFaultTests } from '../support/pages/fault.ts';
import { turnFaults } from './turn.ts';

defineFaultTests(turnFaults);
