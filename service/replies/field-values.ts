/** Parses the text of a form field. */
import type { FormField } from '../../contract/wire.ts';

/** Returns undefined when the text is empty or does not fit the field's kind. */
export const fieldValue = ({ kind, options }: FormField, text: string): string | number | undefined => {
  const value = text.trim();
  if (value === '') return undefined;
  const plain = value.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15));
  if (kind === 'email') return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value) ? value : undefined;
  if (kind === 'phone') return (plain.match(/\d/g) ?? []).length >= 5 ? plain : undefined;
  if (kind === 'number') return numberOf(plain);
  if (kind === 'date') return Number.isNaN(Date.parse(plain)) ? undefined : plain;
  if (kind === 'select' && options.length > 0) {
    return options.find((option) => option.toLowerCase() === value.toLowerCase());
  }
  return value;
};

const numberOf = (text: string): number | undefined => {
  const number = Number(text.replace(/[,٬\s]/g, '').replace('٫', '.'));
  return Number.isFinite(number) ? number : undefined;
};
