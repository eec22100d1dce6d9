import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { localise, type BlockContext } from '../../../src/blocks/block-context.ts';
import { trustedImage } from '../../../src/blocks/products.ts';
import { piecesOf } from '../../../src/blocks/unknown.ts';
import { formatPrice, formatRelative } from '../../../src/locale/format.ts';

const speaking = (dir: 'ltr' | 'rtl') => ({ view: { dir } }) as BlockContext;
const plain = (text: string) => text.replace(/\u00a0/g, ' ');

describe('text of a block', () => {
  it('is taken in the widget’s language, then in the one there is', () => {
    assert.equal(localise({ en: 'Mug', ar: 'كوب' }, speaking('rtl')), 'كوب');
    assert.equal(localise({ en: 'Mug' }, speaking('rtl')), 'Mug');
    assert.equal(localise({ ar: 'كوب' }, speaking('ltr')), 'كوب');
    assert.equal(localise(undefined, speaking('ltr')), '');
  });
});

describe('a block of no known type', () => {
  it('leaves its text and its links, in order', () => {
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
    assert.deepEqual(piecesOf(block, speaking('rtl')), [
      ['أكواب'],
      ['Palm mug', 'https://shop.example/mug'],
      ['By hand'],
      ['No address'],
      ['https://shop.example/all', 'https://shop.example/all'],
    ]);
  });

  it('ends, however deep or long it is', () => {
    const deep: Record<string, unknown> = { title: 'x' };
    deep['inner'] = deep;
    assert.ok(piecesOf(deep, speaking('ltr')).length <= 20);
    const long = { items: Array.from({ length: 9999 }, () => ({ text: 'x' })) };
    assert.equal(piecesOf(long, speaking('ltr')).length, 20);
    assert.deepEqual(piecesOf('text', speaking('ltr')), []);
  });
});

describe('a product’s picture', () => {
  const hosts = 'cdn.shop.example IMAGES.example:8443';

  it('comes from the hosts that the page has named, by https', () => {
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
    it(`does not come from ${url}`, () => assert.equal(trustedImage(url, hosts), null));
  }

  it('comes from nowhere when the page has named none', () => {
    assert.equal(trustedImage('https://cdn.shop.example/a.jpg', ''), null);
  });
});

describe('figures', () => {
  it('are prices of a currency, and survive one that is none', () => {
    assert.equal(plain(formatPrice(12.5, 'OMR', 'en')), 'OMR 12.500');
    assert.equal(formatPrice(1234.5, 'BUCKS', 'en'), '1,234.5 BUCKS');
    assert.equal(formatPrice(3, undefined, 'en'), '3');
  });

  it('are distances in time', () => {
    const hour = 3_600_000;
    assert.equal(formatRelative(0, 2.5 * hour, 'en'), '2 hours ago');
    assert.equal(formatRelative(0, 24 * hour, 'en'), 'yesterday');
    assert.equal(formatRelative(hour, 0, 'en'), 'in 1 hour');
    assert.equal(formatRelative(0, 9000, 'en'), 'now');
    assert.equal(formatRelative(0, 2 * 24 * hour, 'ar'), 'أول أمس');
  });
});
