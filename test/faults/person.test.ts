import { proveFaults } from '../support/pages/fault.ts';
import { personFaults } from './person.ts';

proveFaults(personFaults);
