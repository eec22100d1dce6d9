/** The labels of the buttons that a visitor clicks, in both languages. */
import { strings as ar } from '../../../src/locale/ar.ts';
import { strings as en } from '../../../src/locale/en.ts';

export const labels = {
  sendAgain: [en.sendAgain, ar.sendAgain],
  askAgain: [en.askAgain, ar.askAgain],
  edit: [en.edit, ar.edit],
  stop: [en.stop, ar.stop],
} as const;
