import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseInline } from '../../../src/markdown/inline-parser.ts';
import type { Inline } from '../../../src/markdown/syntax-tree.ts';
import { taskOf } from '../../../src/markdown/task.ts';
import { parse, toHtml } from './commonmark-html.ts';
import { hostileTexts } from './hostile.ts';
import { limit } from '../../support/time-limits.ts';
import { valuesOf } from '../../support/values-of.ts';

const inline = (text: string): Inline[] => parseInline(text, { definitions: new Map() }).content;

/** Returns the destinations and the labels of the links in plain text. */
const bareLinks = (text: string): [string, Inline | undefined][] =>
  inline(text).flatMap((part) =>
    typeof part !== 'string' && part.type === 'link' ? [[part.url, part.children[0]] as [string, Inline]] : [],
  );

it('strikes through text between one or two tildes, but not three', () => {
  assert.equal(toHtml(parse('~~a~~ ~b~ ~~~c~~~ ~~d~')), '<p><del>a</del> <del>b</del> ~~~c~~~ ~~d~</p>\n');
  assert.equal(toHtml(parse('from ~5 to ~10 minutes')), '<p>from ~5 to ~10 minutes</p>\n');
  assert.equal(toHtml(parse('~~a **b~~ c**')), '<p><del>a **b</del> c**</p>\n');
});

it('links bare URLs without the punctuation around them', () => {
  for (const [text, ...urls] of [
    ['see https://a.example/x.', 'https://a.example/x'],
    ['(https://a.example/x_(y))', 'https://a.example/x_(y)'],
    ['https://a.example/?q=1&lt;', 'https://a.example/?q=1'],
    ['**https://a.example**', ''],
    ['https://a.example/a_b_c, then', 'https://a.example/a_b_c'],
    ['HTTP://A.example:80/x', 'HTTP://A.example:80/x'],
    ['www.a.example/x?', 'http://www.a.example/x'],
    ['xhttps://a.example', ''],
    ['https://a.b_c', ''],
    ['http://localhost:3000/x', 'http://localhost:3000/x'],
    ['زوروا https://a.example/ب، ثم', 'https://a.example/ب'],
    ['https://a.example<b', 'https://a.example'],
    ['ftp://a.example', ''],
  ] as const)
    assert.deepEqual(
      bareLinks(text).map(([url]) => url),
      urls.filter((url) => url !== ''),
      text,
    );
});

it('links bare URLs in linear time', () => {
  const started = performance.now();
  for (const name of ['a name in a URL and semicolons', 'underscores in a host']) inline(hostileTexts[name]!(200_000));
  assert.ok(performance.now() - started < limit(2000));
});

it('links e-mail addresses', () => {
  assert.deepEqual(bareLinks('write to a.b+c_d@e-f.example.'), [['mailto:a.b+c_d@e-f.example', 'a.b+c_d@e-f.example']]);
  assert.deepEqual(bareLinks('a@b, a@b.c-, @b.c, a@.c, a@b_c.d_'), []);
  assert.equal(bareLinks('one@a.example,two@b.example').length, 2);
});

it('links nothing inside the text of a link or inside code', () => {
  const [link] = inline('[see www.a.example and b@c.example](https://d.example)');
  assert.ok(typeof link === 'object' && link.type === 'link');
  assert.equal(link.children.filter((part) => typeof part !== 'string' && part.type !== 'link').length, 0);
  assert.deepEqual(bareLinks('`https://a.example b@c.example`'), []);
});

it('requires a delimiter row with as many columns as the header of a table', () => {
  const table = parse('| a | b |\n|:--|--:|\n| 1 | 2 | 3 |\n| `x\\|y` \nz\n\nend').document.children;
  assert.deepEqual(valuesOf(table, 'type'), ['table', 'paragraph']);
  const [first] = table;
  assert.ok(first?.type === 'table');
  assert.deepEqual(first.alignments, ['left', 'right']);
  assert.deepEqual(first.rows, [['a', 'b'], ['1', '2', '3'], ['`x|y`'], ['z']]);
  assert.equal(parse('| a | b |\n|---|').document.children[0]?.type, 'paragraph');
  assert.equal(parse('a\n-').document.children[0]?.type, 'heading');
});

it('allows a table after the lines of a paragraph, and ends it where another block starts', () => {
  assert.deepEqual(
    parse('text\n| a |\n|---|\n| 1 |\n> quote').document.children.map(({ type }) => type),
    ['paragraph', 'table', 'quote'],
  );
});

it('treats a row with too many columns as text', () => {
  const wide = `${'|a'.repeat(500)}\n${'|-'.repeat(500)}\n`;
  assert.equal(parse(wide).document.children[0]?.type, 'paragraph');
});

it('reads a task item only with a box and text, at the start of an item', () => {
  const task = (markdown: string): unknown => {
    const [list] = parse(markdown).document.children;
    assert.ok(list?.type === 'list' && list.children[0]?.type === 'item');
    const [first] = list.children[0].children;
    return first?.type === 'paragraph' ? taskOf(first) : null;
  };
  assert.deepEqual(task('- [ ] buy'), { done: false, text: 'buy\n' });
  assert.deepEqual(task('1. [X]  buy'), { done: true, text: 'buy\n' });
  assert.deepEqual(task('- [ ]'), { done: null, text: '[ ]\n' });
  assert.deepEqual(task('- [y] buy'), { done: null, text: '[y] buy\n' });
  const [paragraph] = parse('[x] buy').document.children;
  assert.ok(paragraph?.type === 'paragraph');
  assert.equal(taskOf(paragraph).done, null);
});

it('treats raw HTML as text', () => {
  assert.equal(toHtml(parse('<b>x</b> <u>')), '<p>&lt;b&gt;x&lt;/b&gt; &lt;u&gt;</p>\n');
  assert.equal(
    toHtml(parse('<script>\n\n*x*\n</script>')),
    '<p>&lt;script&gt;</p>\n<p><em>x</em><br />\n&lt;/script&gt;</p>\n',
  );
});
