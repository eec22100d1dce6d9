import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { numberText } from '../../../contract/numbers.ts';

const numberingSystems = Intl.supportedValuesOf('numberingSystem').filter((numberingSystem) =>
  /^\p{Nd}+$/u.test(new Intl.NumberFormat('en', { numberingSystem, useGrouping: false }).format(1_234_567_890)),
);

describe('a number that a person writes', () => {
  for (const [text, tag, expected] of [
    ['3', 'en', '3'],
    ['1.5', 'en', '1.5'],
    ['1,5', 'en', '1.5'],
    ['1,5', 'ar', '1.5'],
    ['1,50', 'en', '1.50'],
    ['1,5', 'de', '1.5'],
    ['1.5', 'de', '1.5'],
    ['1,500', 'en', '1500'],
    ['1,500', 'de', '1.500'],
    ['1.500', 'de', '1500'],
    ['1.500', 'en', '1.500'],
    ['0,500', 'en', '0.500'],
    ['1,234.56', 'de', '1234.56'],
    ['1.234,56', 'en', '1234.56'],
    ['12,34,567', 'en', '1234567'],
    ['1,234,567', 'en', '1234567'],
    ['1 500,25', 'fr', '1500.25'],
    ['1\u202f500', 'fr', '1500'],
    ['1’500', 'de-CH', '1500'],
    ['١٫٥', 'ar', '1.5'],
    ['١٬٥٠٠٫٢٥', 'ar', '1500.25'],
    ['١،٥', 'ar', '1.5'],
    ['۱۲٫۵', 'fa', '12.5'],
    ['१.५', 'hi', '1.5'],
    ['１．５', 'ja', '1.5'],
    ['−5', 'en', '-5'],
    ['+5', 'en', '5'],
    ['.5', 'en', '0.5'],
    ['5.', 'en', '5'],
    ['007', 'en', '007'],
    ['\u200f٣\u200e', 'ar', '3'],
    ['\ufeff 12\u00a0', 'en', '12'],
    ['', 'en', null],
    ['-', 'en', null],
    ['.', 'en', null],
    ['٫', 'ar', null],
    ['five', 'en', null],
    ['5 kg', 'en', null],
    ['1e5', 'en', null],
    ['0x10', 'en', null],
    ['1,2,3', 'en', null],
    ['1.2.3', 'en', null],
    ['1٫2٫3', 'ar', null],
    ['1 5', 'en', null],
    ['12,3456,789', 'en', null],
    ['--5', 'en', null],
    ['½', 'en', null],
    ['5-6', 'en', null],
  ] as const)
    it(`is ${expected} for ${JSON.stringify(text)} in ${tag}`, () => {
      assert.equal(numberText(text, tag), expected);
    });

  it('is read again as Intl formats it, in each language with the digits of each script', () => {
    const tags = ['en', 'ar', 'fa', 'de', 'fr', 'hi', 'es', 'de-CH', 'he', 'th', 'ru', 'ja', 'pt'];
    fc.assert(
      fc.property(
        fc.constantFrom(...tags),
        fc.constantFrom(...numberingSystems),
        fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
        fc.constantFrom(1, 10, 100),
        (tag, numberingSystem, integer, divisor) => {
          const number = integer / divisor;
          const written = new Intl.NumberFormat(tag, { numberingSystem, maximumFractionDigits: 2 }).format(number);
          assert.equal(Number(numberText(written, tag)), number, `${written} in ${tag}`);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('never has other digits than those that were written', () => {
    const characters = fc.constantFrom(...'0123456789.,٫٬ -+٣۵\u200f\u00a0'.split(''));
    fc.assert(
      fc.property(fc.array(characters, { maxLength: 12 }), fc.constantFrom('en', 'ar', 'de'), (list, tag) => {
        const number = numberText(list.join(''), tag);
        if (number === null) return;
        const digits = (text: string) => text.replaceAll('٣', '3').replaceAll('۵', '5').replace(/\D/g, '');
        assert.equal(digits(number).replace(/^0+/, ''), digits(list.join('')).replace(/^0+/, ''));
        assert.ok(Number.isFinite(Number(number)));
      }),
      { numRuns: 5000 },
    );
  });
});
