import { proveFaults } from '../support/fault.ts';
import { identityFaults } from './identity.ts';

proveFaults(identityFaults);
