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
    const draft = { note: 'A mug', name: 'Salim', phone: '' };
    assert.equal(toMessage(fields, draft, 'en'), 'Name: Salim\nWhat: exactly: A mug');
    assert.equal(toMessage([field({ label_en: 'Name: ' })], draft, 'en'), 'Name: Salim');
  });

  it('uses the labels of the language, or else the English ones', () => {
    const draft = { name: 'سالم', note: 'كوب' };
    assert.equal(toMessage(fields, draft, 'ar'), 'الاسم: سالم\nWhat: exactly: كوب');
    assert.equal(labelOf(fields[2]!, 'ar'), 'What: exactly');
  });

  it('never lets a value start another line', () => {
    assert.equal(toValue(field(), 'Salim\nPhone: 1\r\n\u2028x', 'en'), 'Salim Phone: 1 x');
  });

  it('has ASCII digits in phone numbers, numbers and dates, and the digits that were typed in other texts', () => {
    for (const numberingSystem of ['arab', 'arabext', 'deva', 'beng', 'thai', 'fullwide', 'mathsans']) {
      const digits = new Intl.NumberFormat('en', { numberingSystem, useGrouping: false }).format(92123456);
      for (const kind of ['phone', 'number', 'date'] as const)
        assert.equal(toValue(field({ kind }), digits, 'ar'), '92123456', `${kind} ${numberingSystem}`);
      assert.equal(toValue(field(), digits, 'ar'), digits);
    }
  });

  it('has numbers with a decimal point, as the language writes them', () => {
    const number = (text: string, tag: string) => toValue(field({ kind: 'number' }), text, tag);
    assert.deepEqual([number('1,5', 'en'), number('١٫٥', 'ar'), number('1.500', 'de')], ['1.5', '1.5', '1500']);
  });

  it('has no characters that nobody sees', () => {
    for (const mark of '\u200e\u200f\u061c\u202a\u202c\u2066\u2069\u200b\ufeff\u00a0\u2060') {
      const around = (text: string) => `${mark}${text.slice(0, 3)}${mark}${text.slice(3)}${mark}`;
      assert.equal(toValue(field({ kind: 'phone' }), around('92123456'), 'en').replaceAll(' ', ''), '92123456');
      assert.equal(toValue(field({ kind: 'date' }), `${mark}2026-04-01${mark}`, 'en'), '2026-04-01');
      assert.equal(toValue(field({ kind: 'email' }), `${mark}a@b.example${mark}`, 'en'), 'a@b.example');
      assert.equal(toValue(field(), around('Salim'), 'en').replaceAll(' ', ''), 'Salim');
    }
    assert.equal(toValue(field({ kind: 'email' }), 'jose\u0301@b.example', 'en'), 'jos\u00e9@b.example');
    assert.equal(toValue(field(), 'نمی\u200cدانم', 'fa'), 'نمی\u200cدانم');
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

  it('is shown right when one label begins another one', () => {
    const labels = ['Name', 'Name: last', 'Size', 'Size: depth: cm'];
    const prefixes = labels.map((label, index) => field({ key: `k${index}`, label_en: label, label_ar: '' }));
    const data = { k0: 'A', k1: 'B', k2: 'S', k3: '4' };
    assert.deepEqual(
      fromMessage(toMessage(prefixes, data, 'en'), prefixes, 'en'),
      labels.map((label, index) => [label, Object.values(data)[index]]),
    );
    const some = { k1: 'B', k3: '4' };
    assert.deepEqual(fromMessage(toMessage(prefixes, some, 'en'), prefixes, 'en'), [
      ['Name: last', 'B'],
      ['Size: depth: cm', '4'],
    ]);
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
    assert.equal(problemOf(field({ required: true }), '  ', valid, 'en'), 'required');
    assert.equal(problemOf(field(), '  ', valid, 'en'), null);
    assert.equal(problemOf(field({ required: true }), 'x', valid, 'en'), null);
  });

  it('reports the problems that the browser has found', () => {
    assert.equal(problemOf(field({ kind: 'number' }), '', { ...valid, badInput: true }, 'en'), 'number');
    assert.equal(problemOf(field({ kind: 'date' }), '', { ...valid, badInput: true }, 'en'), 'date');
    assert.equal(problemOf(field({ kind: 'email' }), 'x', { ...valid, typeMismatch: true }, 'en'), 'email');
  });

  it('reports everything that is no number, whether the field is required or not', () => {
    for (const text of ['five', '1,2,3', '5 kg', '1e3', '½', '\u200f-'])
      assert.equal(problemOf(field({ kind: 'number' }), text, valid, 'en'), 'number', text);
    for (const text of ['1,5', '١٫٥', '', '\u200f', '0'])
      assert.equal(problemOf(field({ kind: 'number' }), text, valid, 'ar'), null, text);
    assert.equal(problemOf(field({ kind: 'number', required: true }), '\u200f\u00a0', valid, 'ar'), 'required');
  });

  it('reports a phone number with too few digits of any script', () => {
    assert.equal(problemOf(field({ kind: 'phone' }), 'call me', valid, 'en'), 'phone');
    assert.equal(problemOf(field({ kind: 'phone' }), '٩٢١٢٣٤٥٦', valid, 'en'), null);
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
    'Verification code',
    'CVV2',
    'ATM PIN code',
    'Enter your card number',
  ]) {
    it(`treats “${name}” as a secret`, () => assert.equal(asks(name), true));
  }

  for (const name of [
    'كلمة المرور',
    'كلمه المرور',
    'كلمةُ المرور',
    'كلمة السر',
    'الرقم السري',
    'رقم سري',
    'الرمز السري',
    'رمز التحقق',
    'رقم بطاقة الائتمان',
    'بطاقة مصرفية',
    'رمز الأمان',
  ]) {
    it(`treats «${name}» as a secret`, () => assert.equal(asks('field', 'Field', name), true));
  }

  it('treats any field of the kind password as a secret', () => assert.equal(asks('x', 'Word', '', 'password'), true));

  for (const name of [
    'passport_number',
    'ID card number',
    'loyalty card number',
    'Resident card number',
    'National card number',
    'Health card number',
    'SIM card number',
    'Business card name',
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
