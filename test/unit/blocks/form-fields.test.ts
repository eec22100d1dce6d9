import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FormField } from '../../../contract/wire.ts';
import {
  fromMessage,
  isSecret,
  labelOf,
  problemOf,
  toMessage,
  toValue,
  valueFormat,
} from '../../../src/blocks/form-fields.ts';

const field = (fields: Partial<FormField> = {}): FormField => ({
  key: 'name',
  label_en: 'Name',
  label_ar: 'الاسم',
  kind: 'text',
  options: [],
  required: false,
  ...fields,
});

const valid = { valueMissing: false, typeMismatch: false, badInput: false };

describe('The message of a submitted form', () => {
  const fields = [
    field(),
    field({ key: 'phone', label_en: 'Phone', label_ar: 'الهاتف', kind: 'phone' }),
    field({ key: 'note', label_en: 'What: exactly', label_ar: '' }),
  ];

  it('has one line for each field with a value, in the order of the form', () => {
    const draft = { note: 'A mug', name: ' Salim ' };
    assert.equal(toMessage(fields, draft, 'en'), 'Name: Salim\nWhat: exactly: A mug');
  });

  it('uses the labels of the language, or else the English ones', () => {
    const draft = { name: 'سالم', note: 'كوب' };
    assert.equal(toMessage(fields, draft, 'ar'), 'الاسم: سالم\nWhat: exactly: كوب');
    assert.equal(labelOf(fields[2]!, 'ar'), 'What: exactly');
  });

  it('never lets a value start another line', () => {
    assert.equal(toMessage(fields, { name: 'Salim\nPhone: 1\r\n\u2028x' }, 'en'), 'Name: Salim Phone: 1 x');
  });

  it('converts phone numbers and numbers to ASCII digits', () => {
    assert.equal(toMessage(fields, { phone: '٩٢١٢ ۳۴۵۶' }, 'ar'), 'الهاتف: 9212 3456');
    assert.equal(toValue(field({ kind: 'number' }), '٣'), '3');
    assert.equal(toValue(field(), 'الطابق ٣'), 'الطابق ٣');
  });

  it('can be parsed into labels and values in either language', () => {
    for (const language of ['en', 'ar'] as const) {
      const message = toMessage(fields, { name: 'a: b', note: 'c' }, language);
      assert.deepEqual(fromMessage(message, fields, 'en'), [
        [language === 'en' ? 'Name' : 'الاسم', 'a: b'],
        ['What: exactly', 'c'],
      ]);
    }
    assert.deepEqual(fromMessage('Old label: x', fields, 'en'), [['Old label', 'x']]);
  });

  it('is sent with dates in ISO 8601, and shown with dates in the visitor’s language', () => {
    const dated = [field({ key: 'until', kind: 'date', label_en: 'Needed by', label_ar: 'مطلوب قبل' })];
    const draft = { until: '2026-04-01' };
    assert.equal(toMessage(dated, draft, 'en'), 'Needed by: 2026-04-01');
    assert.equal(toMessage(dated, draft, 'en', valueFormat('en-GB')), 'Needed by: 1 April 2026');
    assert.equal(toMessage(dated, draft, 'ar', valueFormat('ar-u-nu-latn')), 'مطلوب قبل: 1 أبريل 2026');
    assert.deepEqual(fromMessage('Needed by: 2026-04-01', dated, 'en-GB'), [['Needed by', '1 April 2026']]);
    assert.deepEqual(fromMessage('Needed by: soon', dated, 'en-GB'), [['Needed by', 'soon']]);
  });
});

describe('The validation of a form field', () => {
  it('reports a required field that is empty or contains only spaces', () => {
    assert.equal(problemOf(field({ required: true }), '  ', valid), 'required');
    assert.equal(problemOf(field(), '  ', valid), null);
    assert.equal(problemOf(field({ required: true }), 'x', valid), null);
  });

  it('reports the problems that the browser has found', () => {
    assert.equal(problemOf(field({ kind: 'number' }), '', { ...valid, badInput: true }), 'number');
    assert.equal(problemOf(field({ kind: 'date' }), '', { ...valid, badInput: true }), 'date');
    assert.equal(problemOf(field({ kind: 'email' }), 'x', { ...valid, typeMismatch: true }), 'email');
  });

  it('reports a phone number with too few digits of any script', () => {
    assert.equal(problemOf(field({ kind: 'phone' }), 'call me', valid), 'phone');
    assert.equal(problemOf(field({ kind: 'phone' }), '٩٢١٢٣٤٥٦', valid), null);
  });
});

describe('The detection of secret fields', () => {
  const asks = (key: string, label_en = key, label_ar = '', kind = 'text') =>
    isSecret(field({ key, label_en, label_ar, kind }));

  for (const name of [
    'password',
    'userPassword',
    'passcode',
    'card_number',
    'cardNumber',
    'card-expiry',
    'Credit card',
    'Debit Card No',
    'cvv',
    'CVC',
    'PIN',
    'your pin please',
    'otp',
    'one-time code',
    'security_code',
  ]) {
    it(`treats “${name}” as a secret`, () => assert.equal(asks(name), true));
  }

  for (const name of ['كلمة المرور', 'كلمة السر', 'الرقم السري', 'رقم بطاقة الائتمان', 'بطاقة مصرفية', 'رمز الأمان']) {
    it(`treats «${name}» as a secret`, () => assert.equal(asks('field', 'Field', name), true));
  }

  it('treats any field of the kind password as a secret', () => assert.equal(asks('x', 'Word', '', 'password'), true));

  for (const name of [
    'passport_number',
    'ID card number',
    'loyalty card number',
    'pin code',
    'shopping',
    'opinion',
    'greeting card',
    'postcard',
    'order_number',
    'بطاقة تهنئة',
    'الرمز البريدي',
  ]) {
    it(`does not treat “${name}” as a secret`, () => assert.equal(asks(name, name, name), false));
  }
});
