import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { FormField } from '../../contract/wire.ts';
import { fieldValue } from '../../service/replies/field-values.ts';

const value = (kind: FormField['kind'], text: string) => {
  const field: FormField = { key: 'x', label_en: 'X', label_ar: 'X', kind, options: [], required: false };
  return fieldValue(field, text, 'en');
};

describe('a date of a form', () => {
  for (const text of [
    '2026-12-31',
    '2026/12/31',
    '2026.12.31',
    '31/12/2026',
    '31.12.2026',
    '31-12-2026',
    '31 / 12 / 2026',
    '٣١/١٢/٢٠٢٦',
    '۲۰۲۶-۱۲-۳۱',
    '\u200f31/12/2026',
  ]) {
    it(`is read from ${text}`, () => assert.equal(value('date', text), '2026-12-31'));
  }

  it('may have a day and a month of one digit', () => {
    assert.equal(value('date', '1/2/2026'), '2026-02-01');
    assert.equal(value('date', '29.2.2028'), '2028-02-29');
  });

  for (const text of [
    'maybe 5',
    'room 12',
    '2026',
    '12/2026',
    '31/12/26',
    '1/1/1/2026',
    '2026-12-31T10:00',
    '--2026',
    '2026--',
    '2026-02-31',
    '29.2.2026',
    '12/31/2026',
    '2026-00-10',
    '2026-13-01',
    '0/1/2026',
    '0026-12-31',
    '1405-10-10',
  ]) {
    it(`is not read from ${text}`, () => assert.equal(value('date', text), undefined));
  }

  it('is read from every day, in each of its forms', () => {
    const days = fc.date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(days, fc.constantFrom('-', '/', '.'), (time, mark) => {
        const date = time.toISOString().slice(0, 10);
        const parts = date.split('-');
        assert.equal(value('date', parts.join(mark)), date);
        assert.equal(value('date', parts.toReversed().map(Number).join(mark)), date);
      }),
    );
  });
});

describe('a phone number of a form', () => {
  it('has digits of any script, and the marks that people write between them', () => {
    for (const text of [
      '92123456',
      'tel:+96891234567',
      '+1 555-123-4567 ext. 12',
      '555\u2212123\u22124567 x12',
      '+968 9212-3456',
      '(030) 901820',
      '030/90.18.20',
      '+44\u00a020\u20117946\u20110018',
    ]) {
      assert.notEqual(value('phone', text), undefined, text);
    }
    assert.equal(value('phone', '٩٢١٢٣٤٥٦'), '92123456');
  });

  it('has no other characters, at least 5 digits, and at most 20', () => {
    for (const text of ['<script>12345', 'call 92123456', '1234', '+-(/)', '1'.repeat(21), '9212 3456; 9212 3457']) {
      assert.equal(value('phone', text), undefined, text);
    }
  });
});
