import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { MarkdownReader } from '../../../src/markdown/reader.ts';
import { parseInline } from '../../../src/markdown/inline-parser.ts';
import { splitRuns } from '../../../src/markdown/runs.ts';
import type { Inline } from '../../../src/markdown/syntax-tree.ts';
import { mixedTexts, withoutMarks } from '../../support/mixed-texts.ts';

/** Writes the runs of a text as the data file does: ⟦left to right⟧, ⟪by the first letter⟫, ⟨behind a Latin word⟩. */
const marked = (text: string): string =>
  splitRuns(text, false)
    .map((part) => {
      if (typeof part === 'string') return part;
      if (part.dir === null) return `⟨${part.text}⟩`;
      return part.dir === 'ltr' ? `⟦${part.text}⟧` : `⟪${part.text}⟫`;
    })
    .join('');

/** Joins adjacent strings. */
const joined = (content: readonly Inline[]): Inline[] => {
  const result: Inline[] = [];
  for (const part of content) {
    const last = result.at(-1);
    if (typeof part === 'string' && typeof last === 'string') result[result.length - 1] = last + part;
    else result.push(part);
  }
  return result;
};

describe('The runs of a text', () => {
  it('are found in each of 300 mixed texts', () => {
    assert(mixedTexts.length >= 300, `${mixedTexts.length} texts`);
    assert.equal(new Set(mixedTexts).size, mixedTexts.length);
    const wrong = mixedTexts.flatMap((expected) => {
      const found = marked(withoutMarks(expected));
      return found === expected ? [] : [{ expected, found }];
    });
    assert.deepEqual(wrong, []);
  });

  it('have a URL where they are a telephone number that can be called', () => {
    const urls = (text: string) =>
      splitRuns(text, false).flatMap((part) => (typeof part === 'string' ? [] : [part.url]));
    assert.deepEqual(urls('+968 9212 3456'), ['tel:+96892123456']);
    assert.deepEqual(urls('٠٠٩٦٨ ٩٢١٢ ٣٤٥٦'), ['tel:0096892123456']);
    assert.deepEqual(urls('+९१ ९८७६५ ४३२१०'), ['tel:+919876543210']);
    assert.deepEqual(urls('(555) 123-4567'), ['tel:5551234567']);
    for (const text of ['+96892123456', '+968 92123456', '(+968) 9212 3456', '+968 (9212) 3456'])
      assert.deepEqual(urls(text), ['tel:+96892123456'], text);
    for (const text of [
      '9212 3456',
      '2026-12-24',
      '2025-2026',
      '4111 1111 1111 1111',
      '+5 %',
      '12:00 - 14:00',
      'BH67 BMAG 0000 1299 1234 56',
      '0096892123456',
    ])
      assert.deepEqual(urls(text).filter(Boolean), [], text);
  });

  it('have no URL while the number may still grow', () => {
    assert.equal((splitRuns('+968 9212 3456', true)[0] as { url?: string }).url, undefined);
    assert.notEqual((splitRuns('+968 9212 3456 ', true)[0] as { url?: string }).url, undefined);
  });

  it('keep every character of any text', () => {
    const characters = fc.constantFrom(...'0123٤٥+-–:/., ()#%ABocصم$ر.ع يناير\u00a0\n'.split(''));
    fc.assert(
      fc.property(fc.array(characters, { maxLength: 60 }), (list) => {
        const text = list.join('');
        const parts = splitRuns(text, false).map((part) => (typeof part === 'string' ? part : part.text));
        assert.equal(parts.join(''), text);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('The inline content of a streaming text', () => {
  it('has the same runs as the whole text, from whatever checkpoint it continues', () => {
    const words = ['words without a number, again and again'];
    const addresses = ['at https://shop.example, or', 'at www.shop.example. And', '(see https://shop.example) or'];
    const sentence = fc.constantFrom(...mixedTexts.map(withoutMarks), ...words, ...addresses);
    fc.assert(
      fc.property(fc.array(sentence, { minLength: 4, maxLength: 20 }), (list) => {
        const text = list.join(' ');
        const whole = parseInline(text, { definitions: new Map() }).content;
        const { settledLength, content, settledCount } = parseInline(text, { definitions: new Map(), open: true });
        const before = text.slice(0, settledLength);
        const rest = parseInline(text.slice(settledLength), { definitions: new Map(), before }).content;
        assert.deepEqual(joined([...content.slice(0, settledCount), ...rest]), joined(whole));
      }),
      { numRuns: 500 },
    );
  });

  it('isolates runs inside emphasis and links, but makes no link inside a link', () => {
    const reader = new MarkdownReader();
    reader.read('**2026-12-24** [call +968 9212 3456](https://a.example)', true);
    const [block] = reader.blocks.document.children;
    assert(block?.type === 'paragraph');
    const { content } = parseInline(block.text, { definitions: new Map() });
    assert.deepEqual((content[0] as { children: unknown[] }).children, [
      { type: 'run', text: '2026-12-24', dir: 'ltr' },
    ]);
    assert.equal((content[2] as { children: { type?: string }[] }).children[1]!.type, 'run');
  });
});
