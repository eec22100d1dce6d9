import { proveFaults } from '../support/fault.ts';
import { serviceFaults } from './service.ts';

proveFaults(serviceFaults);
