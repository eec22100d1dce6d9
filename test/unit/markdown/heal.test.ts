import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isUndecided, visibleParagraph } from '../../../src/markdown/heal.ts';
import { parseInline } from '../../../src/markdown/inline-parser.ts';
import { inlineText } from '../../../src/markdown/syntax-tree.ts';
import { inlineHtml, parse } from './commonmark-html.ts';

const definitions = new Map<string, string>();
const open = (text: string): string => inlineHtml(parseInline(text, { definitions, open: true }).content);

it('closes the syntax that is open at the end of a streaming text', () => {
  for (const [text, html] of [
    ['**bo', '<strong>bo</strong>'],
    ['**bold*', '<strong>bold</strong>'],
    ['*a **b', '<em>a <strong>b</strong></em>'],
    ['***both', '<em><strong>both</strong></em>'],
    ['~~gone', '<del>gone</del>'],
    ['`code', '<code>code</code>'],
    ['``a`', '<code>a</code>'],
    ['[lab', 'lab'],
    ['[label]', 'label'],
    ['[label](', 'label'],
    ['[label](htt', 'label'],
    ['[label](https://a.example "ti', 'label'],
    ['[label][re', 'label'],
    ['[**la', '<strong>la</strong>'],
    ['**[la', '<strong>la</strong>'],
  ] as const)
    assert.equal(open(text), html, text);
});

it('hides incomplete syntax that has no text yet', () => {
  for (const text of [
    'a *',
    'a **',
    'a `',
    'a ```',
    'a [',
    'a ![',
    'a ![alt',
    'a ![alt](htt',
    'a [1',
    'a [^2',
    'a <',
    'a <https://a.ex',
    'a &am',
    'a \\',
    'a ~~',
    'a !',
  ])
    assert.equal(open(text).trim(), 'a', text);
});

it('keeps an approximate number, a single star and brackets in prose as they are', () => {
  assert.equal(open('about ~5 minutes'), 'about ~5 minutes');
  assert.equal(open('2 * 3 is'), '2 * 3 is');
  assert.equal(open('list[0] is'), 'list[0] is');
  assert.equal(open('[a](b c d) is'), '[a](b c d) is');
});

it('never shows a delimiter of common syntax that disappears later', () => {
  for (const text of [
    'Some **bold** text, *soft* and ***both*** here.',
    'Use `code`, ``a ` b`` and ~~nothing~~ else.',
    'A [label](https://a.example/x_(y) "title") and ![image](https://a.example/i.png) end.',
    'Nested **bold with `code` and [a *link*](https://a.example)** done.',
    'Mail <https://a.example/x> &amp; &#42; \\* end',
    'نص **عريض** و[رابط](https://a.example) و`رمز` تمّ.',
  ]) {
    const whole = inlineText(parseInline(text, { definitions }).content);
    for (let end = 1; end <= text.length; end++) {
      const shown = inlineText(parseInline(text.slice(0, end), { definitions, open: true }).content);
      // Labels may be shown before the rest of a link is known, but shown text must stay.
      assert.ok(whole.startsWith(shown.trimEnd()), `${text.slice(0, end)} → ${shown}`);
    }
  }
});

it('does not show a line that has only markers so far', () => {
  const { tip } = parse('');
  for (const line of [
    '#',
    '- ',
    '1',
    '12.',
    '> - ',
    '```',
    '```js',
    '~~~',
    '---',
    '===',
    '| a',
    '- [',
    '- [x',
    '- [ ] ',
    '[a]: https://a',
    '**',
  ])
    assert.ok(isUndecided(line, tip), line);
  for (const line of ['# a', '- a', '1. a', '> a', '**a', '- [ ] a', 'a | b', '-a', '12 a', '`a'])
    assert.ok(!isUndecided(line, tip), line);
});

it('does not show the header of a table or a definition as a paragraph', () => {
  assert.equal(visibleParagraph('| a | b |\n'), '');
  assert.equal(visibleParagraph('text\n| a | b |\n'), 'text');
  assert.equal(visibleParagraph('[a]: https://a.example\n'), '');
  assert.equal(visibleParagraph('text\n'), 'text');
});
