import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { directionOf } from '../../../src/markdown/direction.ts';

describe('directionOf', () => {
  for (const [text, direction] of [
    ['', null],
    ['12 + 3 = 15 🙂', null],
    ['hello', 'ltr'],
    ['5. hello مرحبا', 'ltr'],
    ['5. مرحبا hello', 'rtl'],
    ['«سلام»', 'rtl'],
    ['שלום', 'rtl'],
    ['ﻣﺮﺣﺒﺎ', 'rtl'],
    ['日本語', 'ltr'],
    ['\u200fHTML لغة', 'rtl'],
    ['\u061cHTML لغة', 'rtl'],
    ['\u200e-5 درجات', 'rtl'],
    ['𞤀𞤣𞤤𞤢𞤥', 'rtl'],
    [`${' '.repeat(2_000)}hello`, null],
  ] as const)
    it(`the direction of ${JSON.stringify(text.slice(0, 20))} is ${direction}`, () => {
      assert.equal(directionOf(text), direction);
    });
});
