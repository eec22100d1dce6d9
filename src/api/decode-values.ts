/** Reads values from JSON of unknown shape. These functions tolerate anything and never throw. */
import type { JsonObject, LocalizedText } from '../../contract/wire.ts';

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const toObject = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** Returns the objects of an array, without its other items. */
export const toObjects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

/**
 * Returns a string, a number as its digits, and anything else as an empty string. Removes the overrides of the writing
 * direction: they can show “exe.pdf” for “fdp.exe”.
 */
export const toText = (value: unknown): string =>
  typeof value === 'string' ? value.replace(/[\u202d\u202e]/g, '') : typeof value === 'number' ? String(value) : '';

export const toOptionalText = (value: unknown): string | undefined => toText(value) || undefined;

/** Returns a date or a time in ISO 8601. Browsers parse other texts as well: “page/1” would be a day in 2001. */
export const toOptionalTime = (value: unknown): string | undefined => {
  const text = toText(value);
  return /^\d{4}-\d\d-\d\d/.test(text) && Date.parse(text) ? text : undefined;
};

/** Returns a non-empty string, or null. */
export const toTextOrNull = (value: unknown): string | null => toText(value) || null;

/** Returns the members of an object as strings. */
export const toTextRecord = (value: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(toObject(value)).map(([key, text]) => [key, toText(text)]));

export const toTexts = (value: unknown): string[] => (Array.isArray(value) ? value.map(toText).filter(Boolean) : []);

/** Returns a finite number, also from a string of digits. */
export const toOptionalNumber = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && value.trim() ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
};

/** Returns a string, or an object `{en, ar}` of strings. */
export const toOptionalLocalized = (value: unknown): LocalizedText | undefined => {
  if (!isObject(value)) return toOptionalText(value);
  const en = toOptionalText(value['en']);
  const ar = toOptionalText(value['ar']);
  return en || ar ? { ...(en && { en }), ...(ar && { ar }) } : undefined;
};

/** Parses JSON. Returns undefined when the text is invalid. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Removes undefined members: an optional field is absent, never undefined or null. */
export const compact = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
