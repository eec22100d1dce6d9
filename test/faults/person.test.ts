import { proveFaults } from '../support/fault.ts';
import { personFaults } from './person.ts';

proveFaults(personFaults);
