import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import bidiFactory from 'bidi-js';
import { isolatedNumbers } from '../../../src/locale/isolated-numbers.ts';

const bidi = bidiFactory();
/** The text as it is seen from left to right, without the invisible characters. */
const seen = (text: string) => bidi.getReorderedString(text, bidi.getEmbeddingLevels(text)).replace(/\p{Cf}/gu, '');

describe('The numbers and Latin words of a text from right to left', () => {
  for (const run of [
    '+968 9212 3456',
    '2026-12-01',
    '9:30 - 17:00',
    '3 GB',
    'B-204',
    '50%',
    '#204',
    'C++',
    'Palm & Clay',
    'help@palm.example',
    'Café Noir',
    'iPhone 15',
    'https://palm.example/a?b=1&c=2',
  ])
    it(`are read from left to right: ${run}`, () => {
      assert.ok(seen(isolatedNumbers(`اتصل على ${run} الآن`)).includes(run));
      assert.ok(seen(isolatedNumbers(`(${run}) للمساعدة، أو غدًا.`)).includes(run));
    });

  it('are isolated one by one between Arabic words', () => {
    const plain = isolatedNumbers('من 9 إلى 5').replaceAll('\u2066', '<').replaceAll('\u2069', '>');
    assert.equal(plain, 'من <9> إلى <5>');
  });

  it('stay as they are in any other text', () => {
    for (const text of ['Call +968 9212 3456', '50%', '', 'السلام عليكم']) assert.equal(isolatedNumbers(text), text);
  });
});
