import { proveFaults } from '../support/pages/fault.ts';
import { serviceFaults } from './service.ts';

proveFaults(serviceFaults);
