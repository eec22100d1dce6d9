/** Reads single values out of JSON of unknown shape: tolerant, and never throwing. */
import type { JsonObject, LocalisedText } from '../../contract/wire.ts';

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const toObject = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** An array's objects; anything else in it is left out. */
export const toObjects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** A string as it is, a number as its digits, anything else as nothing. */
export const toText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

export const toOptionalText = (value: unknown): string | undefined => toText(value) || undefined;

export const toTexts = (value: unknown): string[] => (Array.isArray(value) ? value.map(toText).filter(Boolean) : []);

/** A finite number, also when it was sent as a string of digits. */
export const toOptionalNumber = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && value.trim() ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
};

/** A string, or `{en, ar}` of them. */
export const toOptionalLocalised = (value: unknown): LocalisedText | undefined => {
  if (!isObject(value)) return toOptionalText(value);
  const en = toOptionalText(value['en']);
  const ar = toOptionalText(value['ar']);
  return en || ar ? { ...(en && { en }), ...(ar && { ar }) } : undefined;
};

/** Parsed JSON, or undefined when it does not parse. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The object without its undefined members: an optional field is absent, never undefined or null. */
export const compact = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
