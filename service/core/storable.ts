/**
 * Text and JSON that PostgreSQL can store. It rejects NUL characters, and in JSON also lone surrogates, which a text has after
 * it was cut in the middle of an emoji.
 */

/** Returns the text without NUL characters. Database drivers replace the lone surrogates of a text themselves. */
export const withoutNul = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '') : text);

const storableText = (text: string): string => Buffer.from(withoutNul(text), 'utf8').toString('utf8');

/** Returns the JSON value with storable texts and keys. */
export const storable = (value: unknown): unknown => {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [storableText(key), storable(each)]));
};

/** The escapes of the characters that are not storable. JSON has them in this form only. */
const unstorableEscape = /\\u(?:0000|d[89a-f])/i;

/** Whether a JSON text may contain a text that is not storable. */
export const mayBeUnstorable = (json: string): boolean => unstorableEscape.test(json);

/** Serializes a value for a column of the type `jsonb`. */
export const storableJson = (value: unknown): string => {
  const json = JSON.stringify(value);
  return mayBeUnstorable(json) ? JSON.stringify(storable(JSON.parse(json))) : json;
};
