import { proveFaults } from '../support/pages/fault.ts';
import { tabFaults } from './tabs.ts';

proveFaults(tabFaults);
