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
  if (kind === 'phone') return (plain.match(/\d/g) ?? []).length >= 5 ? plain : undefined;
  if (kind === 'number') return numberOf(numberText(text, language));
  if (kind === 'date') return Number.isNaN(Date.parse(plain)) ? undefined : plain;
  if (kind === 'select' && options.length > 0) {
    return options.find((option) => visibleLine(option).toLowerCase() === value.toLowerCase());
  }
  return value;
};

const numberOf = (text: string | null): number | undefined => {
  const number = text === null ? NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
};
