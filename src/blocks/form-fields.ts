/** The rules of a form without its views: its fields, their validation, and the message that is sent. */
import type { FormField } from '../../contract/wire.ts';
import type { FormDraft } from '../chat/state/state.ts';
import type { Language } from '../locale/language.ts';
import { own } from './block-context.ts';

/** The validation errors of a field. */
export type FieldProblem = 'required' | 'email' | 'phone' | 'number' | 'date';

/** The part of the browser's ValidityState that is used. */
export type Validity = Pick<ValidityState, 'valueMissing' | 'typeMismatch' | 'badInput'>;

/** Words of labels that ask for secrets. Membership, library and identity cards are not secrets. */
const secret =
  /passw|pass(?:code|phrase)|\b(?:cvv|cvc|otp)\b|\bpin\b(?! code)|(?:one.time|security) code|(?:credit|debit|bank) card|(?<!\b(?:id|civil|membership|loyalty|gift|library) )card (?:n|expiry|holder)|كلمة (?:ال)?(?:مرور|سر)|الرقم السري|رمز (?:الأمان|التحقق)|بطاقة (?:ال)?(?:ائتمان|بنك|مصرف|دفع)|البطاقة ال(?:ائتمان|بنك|مصرف)/i;

/** Whether the field asks for a password or a payment card. */
export const isSecret = ({ key, kind, label_en, label_ar }: FormField): boolean => {
  const words = key.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_.-]+/g, ' ');
  return secret.test(`${words} ; ${kind} ; ${label_en} ; ${label_ar}`);
};

export const labelOf = (field: FormField, language: Language): string =>
  (language === 'ar' && field.label_ar) || field.label_en;

/** Converts Arabic and Persian digits into ASCII digits, which phone systems and databases expect. */
const toAsciiDigits = (value: string): string =>
  value.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15));

/** Returns the value as it is sent: on one line, with ASCII digits in phone numbers, numbers and dates. */
export const toValue = ({ kind }: Pick<FormField, 'kind'>, value = ''): string => {
  const line = value.replace(/\s+/g, ' ').trim();
  return kind === 'phone' || kind === 'number' ? toAsciiDigits(line) : line;
};

export const problemOf = (field: FormField, value: string, validity: Validity): FieldProblem | null => {
  if (validity.badInput) return field.kind === 'date' ? 'date' : 'number';
  const text = toValue(field, value);
  if (!text) return field.required ? 'required' : null;
  if (validity.typeMismatch) return 'email';
  if (field.kind === 'phone' && (text.match(/\d/g) ?? []).length < 5) return 'phone';
  return null;
};

/** Returns the message of a form: one line for each field with a value. */
export const toMessage = (
  fields: readonly FormField[],
  draft: FormDraft,
  language: Language,
  format: (field: FormField, value?: string) => string = toValue,
): string =>
  fields
    .map((field) => [labelOf(field, language), format(field, own(draft, field.key))])
    .filter(([, value]) => value)
    .map((line) => line.join(': '))
    .join('\n');

/** Returns a function that formats a value as a visitor reads it. A date is sent in ISO 8601. */
export const valueFormat =
  (languageTag: string) =>
  (field: Pick<FormField, 'kind'>, value?: string): string => {
    const text = toValue(field, value);
    const date = new Date(field.kind === 'date' ? text : NaN);
    return isNaN(+date) ? text : date.toLocaleDateString(languageTag, { dateStyle: 'long', timeZone: 'UTC' });
  };

/** Parses a submitted message back into labels and values, as a visitor reads them. */
export const fromMessage = (
  message: string,
  fields: readonly FormField[],
  languageTag: string,
): [name: string, value: string][] =>
  message.split('\n').map((line) => {
    const unknown = { kind: 'text', label: /^[^:]*/.exec(line)![0] };
    const known = fields.flatMap(({ kind, label_en, label_ar }) =>
      [label_en, label_ar].map((label) => ({ kind, label })),
    );
    const field = known.find(({ label }) => label && line.startsWith(`${label}: `)) ?? unknown;
    return [field.label, valueFormat(languageTag)(field, line.slice(field.label.length + 2))];
  });
