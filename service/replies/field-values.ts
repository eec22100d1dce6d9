/** Parses the text of a form field. */
import { toAsciiDigits, visibleLine, withoutInvisible } from '../../contract/characters.ts';
import { numberText } from '../../contract/numbers.ts';
import type { FormField } from '../../contract/wire.ts';
import { normalizedEmail } from '../core/addresses.ts';
import type { Language } from '../core/language.ts';

/** Returns undefined when the text is empty or does not fit the field's kind. */
export const fieldValue = (
  { kind, options }: FormField,
  text: string,
  language: Language,
): string | number | undefined => {
  const value = visibleLine(text);
  if (value === '') return undefined;
  const plain = toAsciiDigits(withoutInvisible(text));
  if (kind === 'email') {
    const address = normalizedEmail(text);
    return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address) ? address : undefined;
  }
  if (kind === 'phone') return phonePattern.test(plain) ? plain : undefined;
  if (kind === 'number') return numberOf(numberText(text, language));
  if (kind === 'date') return dateOf(plain);
  if (kind === 'select' && options.length > 0) {
    return options.find((option) => visibleLine(option).toLowerCase() === value.toLowerCase());
  }
  return value;
};

/** Digits, with the marks that people write between them, and an extension. A copied number has other hyphens than the keyboard. */
const phonePattern =
  /^(?:tel:)?(?:[\s+()./\u2212\p{Pd}]*\d){5,20}[\s+()./\u2212\p{Pd}]*(?:(?:ext\.?|x|#)\s*\d{1,6})?$/iu;

/** Of a four-digit year. Years of other calendars, and years whose first digits are missing, are outside. */
const yearPattern = /^(?:19|20|21)\d\d$/;

/** Returns a date in ISO 8601 from `2026-12-31` or `31/12/2026`, or undefined when there is no such day. */
const dateOf = (text: string): string | undefined => {
  const parts = text.split(/ ?[-/.] ?/);
  const [year = '', month = '', day = ''] = yearPattern.test(parts[0]!) ? parts : parts.toReversed();
  if (parts.length !== 3 || !yearPattern.test(year)) return undefined;
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  // The parser of dates takes February 31 for March 3.
  const time = /^[\d-]{10}$/.test(date) ? Date.parse(date) : NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date) ? date : undefined;
};

const numberOf = (text: string | null): number | undefined => {
  const number = text === null ? NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
};
