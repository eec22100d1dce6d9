import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isTargeted } from '../../src/workspace-chat/targeting.ts';

describe('The page targeting of the script tag', () => {
  for (const [path, onlyOn, notOn, expected] of [
    ['/', undefined, undefined, true],
    ['/', '', '', true],
    ['/shop/mugs', '/shop/*', undefined, true],
    ['/shop', '/shop/*', undefined, false],
    ['/shop', '/shop*', undefined, true],
    ['/shop/mugs/blue', '/shop/*', undefined, true],
    ['/en/shop/mugs', '*/shop/*', undefined, true],
    ['/a.html', '/a.html', undefined, true],
    ['/abhtml', '/a.html', undefined, false],
    ['/b', '/a /b', undefined, true],
    ['/b', '/a,/b', undefined, true],
    ['/c', '/a, /b', undefined, false],
    ['/checkout', '*', '/checkout', false],
    ['/checkout/pay', undefined, '/checkout /checkout/*', false],
    ['/shop/checkout', '/shop/*', '*/checkout', false],
    ['/%D9%85%D8%AA%D8%AC%D8%B1/1', '/متجر/*', undefined, true],
    ['/a(b)+c', '/a(b)+c', undefined, true],
  ] as const) {
    it(`decides ${expected} for ${path} with only-on ${onlyOn ?? 'unset'} and not-on ${notOn ?? 'unset'}`, () => {
      assert.equal(isTargeted(path, onlyOn, notOn), expected);
    });
  }
});
