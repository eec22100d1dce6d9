/** The rules of a form without its views: its fields, their validation, and the message that is sent. */
import { toAsciiDigits, visibleLine, withoutInvisible } from '../../contract/characters.ts';
import { numberText } from '../../contract/numbers.ts';
import type { FormField } from '../../contract/wire.ts';
import type { FormDraft } from '../chat/state/state.ts';
import type { Language } from '../locale/language.ts';
import { own } from './block-context.ts';

/** The validation errors of a field. */
export type FieldProblem = 'required' | 'email' | 'phone' | 'number' | 'date';

/** The part of the browser's ValidityState that is used. */
export type Validity = Pick<ValidityState, 'valueMissing' | 'typeMismatch' | 'badInput'>;

/**
 * Words of labels that ask for secrets. A card is one for payments, unless its name says that it is not. Arabic is compared without
 * its vowels, its variants of letters and the article.
 */
const secret =
  /passw|pass(?:code|phrase)|\b(?:cvv|cvc)\d?\b|\botp\b|\bpin\b(?! code)|\b(?:atm|card|bank) pin\b|(?:one.time|security|verification|secret|authentication|2fa|sms) code|(?:credit|debit|bank|payment|visa) card|(?<!\b(?:id|identity|civil|national|residen\w+|health|insurance|student|staff|sim|business|membership|loyalty|gift|library) )card (?:n|expiry|holder)|كلمه (?:مرور|سر)|(?:رقم|رمز) سري|رمز (?:امان|تحقق|دخول)|بطاقه (?:ائتمان|بنك|مصرف|دفع|فيزا)/i;

/** Returns an Arabic text as it is compared. */
const plainArabic = (text: string): string =>
  text
    .replace(/[\u064b-\u0652\u0640]/g, '')
    .replace(/[أإآ]/g, 'ا')
    .replaceAll('ة', 'ه')
    .replace(/(?<!\p{L})ال(?=\p{L})/gu, '');

/** Whether the field asks for a password or a payment card. */
export const isSecret = ({ key, kind, label_en, label_ar }: FormField): boolean => {
  const words = key.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_.-]+/g, ' ');
  return secret.test(plainArabic(`${words};${kind};${label_en};${label_ar}`));
};

export const labelOf = (field: FormField, language: Language): string =>
  (language === 'ar' && field.label_ar) || field.label_en;

/**
 * Returns the value as it is sent: on one line, without the characters that nobody sees, and with ASCII digits and a decimal point
 * where people write numbers. A number that cannot be read stays as it is, and is a problem.
 * @param tag The visitor's language (BCP 47).
 */
export const toValue = ({ kind }: Pick<FormField, 'kind'>, value: string | undefined, tag: string): string => {
  const text = value ?? '';
  switch (kind) {
    case 'email':
      return withoutInvisible(text).normalize();
    case 'phone':
    case 'date':
      return toAsciiDigits(withoutInvisible(text));
    case 'number':
      return numberText(text, tag) ?? withoutInvisible(text);
    default:
      return visibleLine(text);
  }
};

/** @param value The value as it was typed. `validity` is that of the value as it is sent. */
export const problemOf = (field: FormField, value: string, validity: Validity, tag: string): FieldProblem | null => {
  if (validity.badInput) return field.kind === 'date' ? 'date' : 'number';
  const text = toValue(field, value, tag);
  if (!text) return field.required ? 'required' : null;
  if (validity.typeMismatch) return 'email';
  if (field.kind === 'number' && numberText(value, tag) === null) return 'number';
  if (field.kind === 'phone' && (text.match(/\d/g) ?? []).length < 5) return 'phone';
  return null;
};

/** Returns a label without a colon of its own at the end. */
const lineLabel = (label: string): string => label.replace(/\s*[:：]\s*$/, '');

/**
 * Returns the message of a form: one line for each field with a value.
 * @param data The values as they are sent.
 */
export const toMessage = (
  fields: readonly FormField[],
  data: FormDraft,
  language: Language,
  format: (field: FormField, value: string) => string = (_, value) => value,
): string =>
  fields
    .map((field) => [lineLabel(labelOf(field, language)), format(field, own(data, field.key) ?? '')])
    .filter(([, value]) => value)
    .map((line) => line.join(': '))
    .join('\n');

/** Returns a function that formats a value as a visitor reads it. A date is sent in ISO 8601. */
export const valueFormat =
  (languageTag: string) =>
  ({ kind }: Pick<FormField, 'kind'>, value: string): string => {
    const date = new Date(kind === 'date' ? value : NaN);
    return isNaN(+date) ? value : date.toLocaleDateString(languageTag, { dateStyle: 'long', timeZone: 'UTC' });
  };

/** Parses a submitted message back into labels and values, as a visitor reads them. */
export const fromMessage = (
  message: string,
  fields: readonly FormField[],
  languageTag: string,
): [name: string, value: string][] => {
  // One label may begin another, so the longest one comes first.
  const labels = fields
    .flatMap(({ label_en, label_ar, kind }) => [label_en, label_ar].map((label) => ({ label: lineLabel(label), kind })))
    .toSorted((one, other) => other.label.length - one.label.length);
  return message.split('\n').map((line) => {
    const { label, kind } = labels.find((each) => line.startsWith(`${each.label}: `)) ?? {
      label: line.split(':', 1)[0]!,
      kind: 'text',
    };
    return [label, valueFormat(languageTag)({ kind }, line.slice(label.length + 1).trim())];
  });
};
