/** Validates JSON objects, with error messages that name the field. */
import { isObject } from '../../api/decode-values.ts';

export interface Check {
  /** The expected value, to follow "must be". */
  expected: string;
  isValid(value: unknown): boolean;
  isOptional?: boolean;
}

export type Shape = Readonly<Record<string, Check>>;

const check = (expected: string, isValid: Check['isValid']): Check => ({ expected, isValid });

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

export const text = check('a string that is not empty', isText);
export const anyText = check('a string', (value) => typeof value === 'string');
export const yesOrNo = check('true or false', (value) => typeof value === 'boolean');
export const amount = check('a number, 0 or more', (value) => Number.isFinite(value) && Number(value) >= 0);
export const pixels: Check = { ...amount, expected: 'a number of CSS pixels, 0 or more' };
export const texts = check('an array of strings', (value) => Array.isArray(value) && value.every(isText));
export const object = check('an object', isObject);

const hasLanguages = (value: unknown): boolean =>
  isObject(value) && ['en', 'ar'].some((language) => isText(value[language]));

export const localizedText = check(
  'a string that is not empty, or an object {en, ar} of them',
  (value) => isText(value) || hasLanguages(value),
);

export const oneOf = (...values: readonly string[]): Check =>
  check(`one of ${values.map((value) => `“${value}”`).join(', ')}`, (value) => values.includes(value as string));

export const orNull = ({ expected, isValid }: Check): Check =>
  check(`${expected}, or null`, (value) => value === null || isValid(value));

/** Checks for an object whose values are valid. */
export const tableOf = ({ expected, isValid }: Check): Check =>
  check(
    `an object, each of whose values is ${expected}`,
    (value) => isObject(value) && Object.values(value).every(isValid),
  );

export const either = (one: Check, other: Check): Check =>
  check(`${one.expected}, or ${other.expected}`, (value) => one.isValid(value) || other.isValid(value));

export const optional = (required: Check): Check => ({ ...required, isOptional: true });

/** Checks for an object of that shape, without other fields. */
export const shaped = (shape: Shape, expected: string): Check =>
  check(expected, (value) => isObject(value) && findFault(value, shape) === null);

/** Returns an error message, or null. An unknown field is reported, because it is probably misspelled. */
export const findFault = (value: Readonly<Record<string, unknown>>, shape: Shape): string | null => {
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(shape, name));
  if (unknown !== undefined) {
    return `There is no field “${unknown}”. Known are: ${Object.keys(shape).join(', ') || 'none'}.`;
  }
  for (const [name, { expected, isValid, isOptional }] of Object.entries(shape)) {
    const isAbsent = value[name] === undefined;
    if (isAbsent ? !isOptional : !isValid(value[name])) return `“${name}” must be ${expected}.`;
  }
  return null;
};
