import { proveFaults } from '../support/pages/fault.ts';
import { identityFaults } from './identity.ts';

proveFaults(identityFaults);
