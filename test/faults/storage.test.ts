import { proveFaults } from '../support/fault.ts';
import { storageFaults } from './storage.ts';

proveFaults(storageFaults);
