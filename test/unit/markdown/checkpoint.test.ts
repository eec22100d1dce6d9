import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseInline } from '../../../src/markdown/inline-parser.ts';
import type { Inline } from '../../../src/markdown/syntax-tree.ts';
import { inlineHtml } from './commonmark-html.ts';
import { generateDocuments } from './generate.ts';

const definitions = new Map([['X', '/u']]);

/** Parses text that grows as the view does: from the last checkpoint on. Returns the HTML and the characters parsed. */
const parseGrowing = (text: string, step: number): { html: string; parsed: number } => {
  const settled: Inline[] = [];
  let start = 0;
  let parsed = 0;
  for (let end = step; end < text.length; end += step) {
    parsed += end - start;
    const { content, settledCount, settledLength } = parseInline(text.slice(start, end), { definitions, open: true });
    settled.push(...content.slice(0, settledCount));
    start += settledLength;
  }
  const rest = parseInline(text.slice(start), { definitions }).content;
  return { html: inlineHtml([...settled, ...rest]), parsed };
};

it('parsing on from a checkpoint comes to the same as parsing it whole', () => {
  const paragraphs = generateDocuments(5, 1500, { gfm: true }).map((text) => text.replace(/\n[ \t\n]*/g, '\n').trim());
  for (let index = 0; index + 12 < paragraphs.length; index += 12) {
    const text = paragraphs.slice(index, index + 12).join(' word word ');
    assert.equal(
      parseGrowing(text, 7).html,
      inlineHtml(parseInline(text, { definitions }).content),
      JSON.stringify(text),
    );
  }
});

const prose = 'Words of **bold** prose with [a link](https://a.example) and `code`, then some more of them. ';

it('a long paragraph is not parsed again whole as it grows', () => {
  const text = prose.repeat(200);
  const { html, parsed } = parseGrowing(text, 10);
  assert.equal(html, inlineHtml(parseInline(text, { definitions }).content));
  // Each piece of 10 characters costs the stretch since the last checkpoint, never the paragraph.
  assert.ok(parsed < text.length * 80, `${parsed} characters parsed for ${text.length}`);
});

it('nothing settles while something before it is open', () => {
  for (const opener of ['*open ', '[open ', '![open ', '`open ', '~~open '])
    assert.equal(parseInline(opener + 'word '.repeat(200), { definitions }).settledLength, 0, opener);
});
