import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatDay } from '../../../src/locale/format.ts';

describe('The day of a message or of a past conversation', () => {
  const now = new Date(2026, 0, 20, 12).getTime();

  for (const [date, tag, text] of [
    [new Date(2026, 0, 20, 1), 'en', 'Today'],
    [new Date(2026, 0, 19, 23), 'ar-u-nu-latn', 'أمس'],
    [new Date(2026, 0, 2), 'en-GB', 'Friday 2 January'],
    [new Date(2025, 11, 19), 'nl', 'Vrijdag 19 december 2025'],
    [new Date(2025, 0, 20), 'de', 'Montag, 20. Januar 2025'],
    [new Date(2025, 11, 19), 'ar-u-nu-latn', 'الجمعة، 19 ديسمبر 2025'],
  ] as const)
    it(`is “${text}” in ${tag}`, () => assert.equal(formatDay(date.getTime(), now, tag), text));
});
