import { proveFaults } from '../support/pages/fault.ts';
import { storageFaults } from './storage.ts';

proveFaults(storageFaults);
