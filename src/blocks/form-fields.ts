/** The rules of a form, without its looks: which fields it has, what is wrong with them, what is sent. */
import type { FormField } from '../../contract/wire.ts';
import type { FormDraft } from '../chat/state/state.ts';
import { own } from './block-context.ts';

/** What can be wrong with a field. */
export type FieldProblem = 'required' | 'email' | 'phone' | 'number' | 'date';

/** What the browser knows of a field's value. */
export type Validity = Pick<ValidityState, 'valueMissing' | 'typeMismatch' | 'badInput'>;

/** What nobody should be asked for in a chat. Cards of a club, a library or a state are no secrets. */
const secret =
  /passw|pass(?:code|phrase)|\b(?:cvv|cvc|otp)\b|\bpin\b(?! code)|(?:one.time|security) code|(?:credit|debit|bank) card|(?<!\b(?:id|civil|membership|loyalty|gift|library) )card (?:n|expiry|holder)|كلمة (?:ال)?(?:مرور|سر)|الرقم السري|رمز (?:الأمان|التحقق)|بطاقة (?:ال)?(?:ائتمان|بنك|مصرف|دفع)|البطاقة ال(?:ائتمان|بنك|مصرف)/i;

/** Whether the field asks for a password or for a payment card. */
export const isSecret = ({ key, kind, label_en, label_ar }: FormField): boolean => {
  const words = key.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_.-]+/g, ' ');
  return secret.test(`${words} ; ${kind} ; ${label_en} ; ${label_ar}`);
};

export const labelOf = (field: FormField, dir: 'ltr' | 'rtl'): string =>
  (dir === 'rtl' && field.label_ar) || field.label_en;

/** Arabic and Persian digits as the ones that every telephone exchange and database reads. */
const toAsciiDigits = (value: string): string =>
  value.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15));

/** The value as it is sent: one line, and numbers in digits that anybody's software reads. */
export const toValue = ({ kind }: FormField, value = ''): string => {
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

/** The visitor's message: a line for each field that is filled in. */
export const toMessage = (fields: readonly FormField[], draft: FormDraft, dir: 'ltr' | 'rtl'): string =>
  fields
    .map((field) => [labelOf(field, dir), toValue(field, own(draft, field.key))])
    .filter(([, value]) => value)
    .map((line) => line.join(': '))
    .join('\n');

/** The lines of a message that was sent, as names and values. */
export const fromMessage = (message: string, fields: readonly FormField[]): [name: string, value: string][] =>
  message.split('\n').map((line) => {
    const labels = fields.flatMap(({ label_en, label_ar }) => [label_en, label_ar]).filter(Boolean);
    const label = labels.find((each) => line.startsWith(`${each}: `)) ?? /^[^:]*/.exec(line)![0];
    return [label, line.slice(label.length + 2)];
  });
