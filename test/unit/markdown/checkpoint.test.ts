import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseInline } from '../../../src/markdown/inline-parser.ts';
import type { Inline } from '../../../src/markdown/syntax-tree.ts';
import { inlineHtml } from './commonmark-html.ts';
import { generateDocuments } from './generate.ts';

const definitions = new Map([['X', '/u']]);

/** Parses a growing text as the view does, from the last checkpoint. Returns the HTML and the number of parsed characters. */
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

it('parses a text from a checkpoint with the same result as from its start', () => {
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

it('does not parse a long paragraph from its start each time it grows', () => {
  const text = prose.repeat(200);
  const { html, parsed } = parseGrowing(text, 10);
  assert.equal(html, inlineHtml(parseInline(text, { definitions }).content));
  // Each step of 10 characters parses the text since the last checkpoint, never the whole paragraph.
  assert.ok(parsed < text.length * 80, `${parsed} characters parsed for ${text.length}`);
});

it('sets no checkpoint while earlier syntax is open', () => {
  for (const opener of ['*open ', '[open ', '![open ', '`open ', '~~open '])
    assert.equal(parseInline(opener + 'word '.repeat(200), { definitions }).settledLength, 0, opener);
});
