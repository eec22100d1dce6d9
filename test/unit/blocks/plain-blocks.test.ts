import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import bidiFactory from 'bidi-js';
import { localize, type BlockContext } from '../../../src/blocks/block-context.ts';
import type { Language } from '../../../src/locale/language.ts';
import { trustedImage } from '../../../src/markdown/index.ts';
import { piecesOf } from '../../../src/blocks/unknown.ts';
import { formatPrice, formatRelative } from '../../../src/blocks/format.ts';

const speaking = (language: Language) => ({ view: { language } }) as BlockContext;
const plain = (text: string) => text.replace(/\u00a0/g, ' ');

it('The text of a block is shown in the widget’s language, or else in the other one', () => {
  assert.equal(localize({ en: 'Mug', ar: 'كوب' }, speaking('ar')), 'كوب');
  assert.equal(localize({ en: 'Mug' }, speaking('ar')), 'Mug');
  assert.equal(localize({ ar: 'كوب' }, speaking('en')), 'كوب');
  assert.equal(localize(undefined, speaking('en')), '');
});

describe('A block of an unknown type', () => {
  it('is shown as its text and its links, in order', () => {
    const block = {
      type: 'carousel',
      id: 'blk_1',
      title: { en: 'Cups', ar: 'أكواب' },
      slides: [
        { label: 'Palm mug', url: 'https://shop.example/mug', description: 'By hand' },
        { name: 'No address', href: 'javascript:alert(1)' },
        { link: 'https://shop.example/all' },
        7,
      ],
    };
    assert.deepEqual(piecesOf(block, speaking('ar')), [
      ['أكواب'],
      ['Palm mug', 'https://shop.example/mug'],
      ['By hand'],
      ['No address'],
      ['https://shop.example/all', 'https://shop.example/all'],
    ]);
  });

  it('is rendered within limits, however deep or long it is', () => {
    const deep: Record<string, unknown> = { title: 'x' };
    deep['inner'] = deep;
    assert.ok(piecesOf(deep, speaking('en')).length <= 20);
    const long = { items: Array.from({ length: 9999 }, () => ({ text: 'x' })) };
    assert.equal(piecesOf(long, speaking('en')).length, 20);
    assert.deepEqual(piecesOf('text', speaking('en')), []);
  });
});

describe('The image of a product', () => {
  const hosts = 'cdn.shop.example IMAGES.example:8443';

  it('is loaded from the hosts that the page has listed, with https', () => {
    assert.equal(trustedImage('https://cdn.shop.example/a.jpg', hosts), 'https://cdn.shop.example/a.jpg');
    assert.equal(trustedImage('https://images.example:8443/a', hosts), 'https://images.example:8443/a');
  });

  for (const url of [
    undefined,
    '',
    'http://cdn.shop.example/a.jpg',
    'https://shop.example/a.jpg',
    'https://evil.cdn.shop.example/a.jpg',
    'https://cdn.shop.example.evil/a.jpg',
    'https://cdn.shop.example:444/a.jpg',
    'https://cdn.shop.example@evil.example/a.jpg',
    '//cdn.shop.example/a.jpg',
    'data:image/svg+xml,<svg/>',
  ]) {
    it(`is not loaded from ${url}`, () => assert.equal(trustedImage(url, hosts), null));
  }

  it('is not loaded when the page has listed no hosts', () => {
    assert.equal(trustedImage('https://cdn.shop.example/a.jpg', ''), null);
    assert.equal(trustedImage('https://صور.example/a.jpg', 'صور.example'), 'https://xn--wgbh1d.example/a.jpg');
  });
});

describe('Formatted numbers', () => {
  it('include prices, also with an unknown currency', () => {
    assert.equal(plain(formatPrice(12.5, 'OMR', 'en')), 'OMR 12.500');
    assert.equal(formatPrice(1234.5, 'BUCKS', 'en'), '1,234.5 BUCKS');
    assert.equal(formatPrice(3, undefined, 'en'), '3');
    assert.doesNotMatch(formatPrice(3, 'USD', 'de'), /\p{Cf}/u);
  });

  it('keep the sign of a currency together, also in a text from right to left', () => {
    const bidi = bidiFactory();
    const seen = (currency: string) => {
      const text = formatPrice(1234.5, currency, 'ar-u-nu-latn');
      return plain(bidi.getReorderedString(text, bidi.getEmbeddingLevels(text))).replace(/\p{Cf}/gu, '');
    };
    assert.deepEqual(['USD', 'GBP', 'CAD', 'EUR', 'XYZ', 'SAR'].map(seen), [
      'US$ 1,234.50',
      'UK£ 1,234.50',
      'CA$ 1,234.50',
      '€ 1,234.50',
      'XYZ 1,234.50',
      '.س.ر 1,234.50',
    ]);
  });

  it('include relative times', () => {
    const hour = 3_600_000;
    assert.equal(formatRelative(0, 2.5 * hour, 'en'), '2 hours ago');
    assert.equal(formatRelative(0, 24 * hour, 'en'), 'yesterday');
    assert.equal(formatRelative(hour, 0, 'en'), 'in 1 hour');
    assert.equal(formatRelative(0, 9000, 'en'), 'now');
    assert.equal(formatRelative(0, 2 * 24 * hour, 'ar'), 'أول أمس');
  });
});
