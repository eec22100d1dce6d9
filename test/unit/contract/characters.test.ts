import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  countCharacters,
  hasVisibleText,
  isLongerThan,
  shortened,
  toAsciiDigits,
  visibleLine,
  withoutInvisible,
} from '../../../contract/characters.ts';

const codePoints = Array.from({ length: 0x110000 }, (_, code) => code).filter((code) => code < 0xd800 || code > 0xdfff);
const matching = (pattern: RegExp) =>
  codePoints.map((code) => String.fromCodePoint(code)).filter((each) => pattern.test(each));

describe('the digits of all scripts', () => {
  it('become ASCII digits: each set of ten counts from 0 to 9', () => {
    const digits = matching(/\p{Nd}/u);
    assert.ok(digits.length >= 650 && digits.length % 10 === 0, `${digits.length} digits`);
    for (let start = 0; start < digits.length; start += 10)
      assert.equal(toAsciiDigits(digits.slice(start, start + 10).join('')), '0123456789', digits[start]);
  });

  it('are the digits that Intl writes for each numbering system with decimal digits', () => {
    let compared = 0;
    for (const numberingSystem of Intl.supportedValuesOf('numberingSystem')) {
      const written = new Intl.NumberFormat('en', { numberingSystem, useGrouping: false }).format(1_234_567_890);
      if (!/^\p{Nd}+$/u.test(written)) continue;
      compared++;
      assert.equal(toAsciiDigits(written), '1234567890', numberingSystem);
    }
    assert.ok(compared >= 40, `${compared} systems`);
  });

  it('leave every other character as it is', () => {
    assert.equal(toAsciiDigits('½ ² Ⅳ 一 x'), '½ ² Ⅳ 一 x');
  });
});

describe('the characters that nobody sees', () => {
  it('make no text by themselves, exactly where nothing is left without them', () => {
    for (const text of [
      '',
      ' \n\u00a0',
      '\u200b\u200f\u2066\u2069',
      '\u200c\u200d \ufeff',
      'a',
      '\u200fa',
      '\u200d🙂',
      '0',
    ])
      assert.equal(hasVisibleText(text), visibleLine(text) !== '', JSON.stringify(text));
  });

  const invisible =
    '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b\u2060\ufeff\u00ad'.split('');

  for (const character of invisible)
    it(`are removed wherever they are: U+${character.codePointAt(0)!.toString(16).padStart(4, '0')}`, () => {
      for (const text of [`${character}ab`, `a${character}b`, `ab${character}`])
        assert.deepEqual([visibleLine(text), withoutInvisible(text)], ['ab', 'ab']);
    });

  it('stay where a joiner shapes letters or joins emoji, and not at an edge', () => {
    assert.equal(visibleLine('\u200cمی\u200cخواهم\u200d'), 'می\u200cخواهم');
    assert.equal(visibleLine('👩\u200d👩\u200d👧'), '👩\u200d👩\u200d👧');
    assert.equal(withoutInvisible('a\u200d@b\u200c.c'), 'a@b.c');
  });

  it('are spaces where they have a width', () => {
    assert.equal(visibleLine(' Huda\u00a0Al\u202fAmri\n'), 'Huda Al Amri');
  });
});

describe('the length of a text', () => {
  it('is the number of its code points, as in the limits of the contract', () => {
    for (const [text, count] of [
      ['', 0],
      ['abc', 3],
      ['😀', 1],
      ['👨\u200d👩\u200d👧', 5],
      ['e\u0301', 2],
      ['\ud800x', 2],
      ['مرحبًا', 6],
    ] as const)
      assert.equal(countCharacters(text), count, text);
    assert.deepEqual([isLongerThan('😀😀', 2), isLongerThan('😀😀😀', 2), isLongerThan('ab', 2)], [false, true, false]);
  });

  it('is shortened before a character that a person sees as one', () => {
    assert.equal(shortened('ab👨\u200d👩\u200d👧', 6), 'ab');
    assert.equal(shortened('ab👨\u200d👩\u200d👧', 7), 'ab👨\u200d👩\u200d👧');
    assert.equal(shortened('cafe\u0301s', 4), 'caf');
    assert.equal(shortened('سلامٌ', 4), 'سلا');
    assert.equal(shortened('abc', 2), 'ab');
  });
});
