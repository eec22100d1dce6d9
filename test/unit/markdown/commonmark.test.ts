import { characterEntities } from 'character-entities';
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { HtmlRenderer, Parser } from 'commonmark';
import { tests as examples } from 'commonmark-spec';
import { DelimiterStack } from '../../../src/markdown/emphasis.ts';
import { loadAllEntities, loadEntitiesWith } from '../../../src/markdown/entities.ts';
import { comparable, outline, parse, parseStreamed, toHtml } from './commonmark-html.ts';
import { generateDocuments } from './generate.ts';

loadEntitiesWith(async () => characterEntities);

/** Examples of the specification that the parser reads differently on purpose. */
const pairedOnceMore = 'delimiters that would stay text are paired once more';
const exceptions = new Map([
  [352, pairedOnceMore],
  [353, 'a no-break space hides no list'],
  [354, pairedOnceMore],
  [379, pairedOnceMore],
  [380, pairedOnceMore],
  [383, pairedOnceMore],
]);

const parser = new Parser();
// A line end is a line break.
const renderer = new HtmlRenderer({ softbreak: '<br />\n' });

before(loadAllEntities);

/** A bug of commonmark.js: it rejects a definition that is followed by a tab. */
const tabAfterDefinitionPattern = /\]:.*\t[ \t]*$/m;
/** A bug of commonmark.js: definitions above a row of hyphens leave an empty paragraph. */
const emptyParagraph = '<p></p>\n';

/** Returns the HTML of commonmark.js, or null when the document contains raw HTML, which is text in the widget. */
const reference = (markdown: string): string | null => {
  const document = parser.parse(markdown);
  const walker = document.walker();
  for (let event; (event = walker.next());) if (event.node.type.startsWith('html')) return null;
  const html = comparable(renderer.render(document)).replaceAll(emptyParagraph, '');
  // commonmark.js writes a tag into a description.
  return html.replace(/ alt="[^"]*"/g, (alt) => alt.replaceAll('<br />', ''));
};

const specification = examples
  .map(({ number, markdown }) => ({ number, markdown: markdown.replaceAll('→', '\t') }))
  .filter(({ markdown }) => reference(markdown) !== null);

it('parses the CommonMark examples without raw HTML as the specification says', () => {
  assert.equal(specification.length, 580);
  const different = specification
    .filter(({ markdown }) => comparable(toHtml(parse(markdown))) !== reference(markdown))
    .map(({ number }) => number);
  assert.deepEqual(different, [...exceptions.keys()]);
});

it('parses 5,000 generated documents as commonmark.js does, apart from what is paired once more', ({ mock }) => {
  mock.method(DelimiterStack.prototype, 'matchRest', () => {});
  let compared = 0;
  for (let seed = 1; compared < 5000; seed++) {
    for (const generated of generateDocuments(seed, 1000)) {
      // Letters without case have a rule of their own.
      const markdown = generated.replace(/\p{Lo}/gu, 'é');
      const expected = reference(markdown);
      // A bracket alone on its line begins a formula.
      if (/^[\s>]*\\\[\s*$/m.test(markdown)) continue;
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
  it(`parses the specification and 2,500 generated documents the same when they stream ${step} characters at a time`, () => {
    for (const markdown of streamed)
      assert.equal(outline(parseStreamed(markdown, step)), outline(parse(markdown)), JSON.stringify(markdown));
  });
}
