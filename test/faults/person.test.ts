import { defineFaultTests } from '../support/pages/fault.ts';
import { personFaults } from './person.ts';

defineFaultTests(personFaults);
