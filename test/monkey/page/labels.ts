/** The labels of the buttons that a visitor clicks, in both languages. */
import { strings as arabic } from '../../../src/locale/ar.ts';
import { strings as english } from '../../../src/locale/en.ts';
import { problemStrings } from '../../../src/locale/problem-strings.ts';

const { en, ar } = problemStrings;

export const labels = {
  sendAgain: [en.sendAgain, ar.sendAgain],
  askAgain: [en.askAgain, ar.askAgain],
  edit: [en.edit, ar.edit],
  stop: [english.stop, arabic.stop],
} as const;
