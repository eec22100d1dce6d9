import assert from 'node:assert/strict';
import { it } from 'node:test';
import { HtmlRenderer, Parser } from 'commonmark';
import { tests as examples } from 'commonmark-spec';
import { comparable, outline, parse, parseStreamed, toHtml } from './commonmark-html.ts';
import { generateDocuments } from './generate.ts';

/** Examples of the specification that are read differently, and why. */
const exceptions = new Map([[25, 'named character references are limited to those that prose uses']]);

const parser = new Parser();
const renderer = new HtmlRenderer();

/** Where commonmark.js itself leaves the specification: a tab after a definition keeps it from being one. */
const tabAfterDefinitionPattern = /\]:.*\t[ \t]*$/m;
/** And a paragraph of definitions alone, above a row of hyphens, stays as an empty paragraph. */
const emptyParagraph = '<p></p>\n';

/** The HTML that commonmark.js writes, or null when the document contains raw HTML, which is text here. */
const reference = (markdown: string): string | null => {
  const document = parser.parse(markdown);
  const walker = document.walker();
  for (let event; (event = walker.next());) if (event.node.type.startsWith('html')) return null;
  return comparable(renderer.render(document)).replaceAll(emptyParagraph, '');
};

const specification = examples
  .map(({ number, markdown }) => ({ number, markdown: markdown.replaceAll('→', '\t') }))
  .filter(({ markdown }) => reference(markdown) !== null);

it('the CommonMark examples without raw HTML read as the specification says', () => {
  assert.equal(specification.length, 580);
  const different = specification
    .filter(({ markdown }) => comparable(toHtml(parse(markdown))) !== reference(markdown))
    .map(({ number }) => number);
  assert.deepEqual(different, [...exceptions.keys()]);
});

it('5,000 generated documents read as commonmark.js reads them', () => {
  let compared = 0;
  for (let seed = 1; compared < 5000; seed++) {
    for (const markdown of generateDocuments(seed, 1000)) {
      const expected = reference(markdown);
      if (expected === null || tabAfterDefinitionPattern.test(markdown)) continue;
      compared++;
      assert.equal(comparable(toHtml(parse(markdown))), expected, JSON.stringify(markdown));
    }
  }
});

const streamed = [
  ...specification.map(({ markdown }) => markdown),
  ...generateDocuments(77, 2500, { gfm: true }),
  ...generateDocuments(78, 100, { gfm: true }).map((markdown) => markdown.replaceAll('\n', '\r\n')),
];

for (const step of [1, 5]) {
  it(`streamed ${step} at a time, the specification and 2,500 generated documents read as in one piece`, () => {
    for (const markdown of streamed)
      assert.equal(outline(parseStreamed(markdown, step)), outline(parse(markdown)), JSON.stringify(markdown));
  });
}
