import { proveFaults } from '../support/fault.ts';
import { tabFaults } from './tabs.ts';

proveFaults(tabFaults);
