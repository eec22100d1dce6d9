/** The rules of replies that differ from CommonMark, because models and people write like this. See docs/text-of-replies.md. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { characterEntities } from 'character-entities';
import { commonEntities, decodeEntities, loadAllEntities, loadEntitiesWith } from '../../../src/markdown/entities.ts';
import { hasShownText } from '../../../src/markdown/hidden-text.ts';
import { parseInline } from '../../../src/markdown/inline-parser.ts';
import type { Inline } from '../../../src/markdown/syntax-tree.ts';
import { parse, parseStreamed, toHtml } from './commonmark-html.ts';

loadEntitiesWith(async () => characterEntities);

const html = (markdown: string): string => toHtml(parse(markdown)).trimEnd();
const directionMarks = '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'.split('');
const noBreakSpaces = '\u00a0\u2007\u202f'.split('');
const nameOf = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

/** One test for each text with the right HTML. */
const renders = (cases: readonly (readonly [text: string, html: string])[]): void => {
  for (const [text, expected] of cases)
    it(`is right for ${JSON.stringify(text)}, also while it streams`, () => {
      assert.equal(html(text), expected);
      assert.equal(toHtml(parseStreamed(text, 1)).trimEnd(), expected);
    });
};

describe('a line end in a reply', () => {
  renders([
    ['Palm & Clay\nRoad 12\nMuscat', '<p>Palm &amp; Clay<br />\nRoad 12<br />\nMuscat</p>'],
    ['Sun–Thu 9–17\nFri closed', '<p>Sun–Thu 9–17<br />\nFri closed</p>'],
    ['• one\n• two', '<p>• one<br />\n• two</p>'],
    ['Regards,\nHuda\n\nPS', '<p>Regards,<br />\nHuda</p>\n<p>PS</p>'],
    ['- item\n  more', '<ul>\n<li>item<br />\nmore</li>\n</ul>'],
    ['> one\n> two', '<blockquote>\n<p>one<br />\ntwo</p>\n</blockquote>'],
    ['two spaces  \nor a backslash\\\nare one break', '<p>two spaces<br />\nor a backslash<br />\nare one break</p>'],
    ['شارع ١٢\nمسقط', '<p>شارع ١٢<br />\nمسقط</p>'],
  ]);
});

describe('bold beside letters', () => {
  renders([
    ['**ملاحظة:**أحضروا', '<p><strong>ملاحظة:</strong>أحضروا</p>'],
    ['**Note:**bring', '<p><strong>Note:</strong>bring</p>'],
    ['**注意：**请带', '<p><strong>注意：</strong>请带</p>'],
    ['これは**「重要」**です', '<p>これは<strong>「重要」</strong>です</p>'],
    ['**メモ:**持参', '<p><strong>メモ:</strong>持参</p>'],
    ['السعر**(شامل الضريبة)**اليوم', '<p>السعر<strong>(شامل الضريبة)</strong>اليوم</p>'],
    ['**หมายเหตุ:**นำมา', '<p><strong>หมายเหตุ:</strong>นำมา</p>'],
    ['**הערה:**הביאו', '<p><strong>הערה:</strong>הביאו</p>'],
    ['**नोट:**लाएँ', '<p><strong>नोट:</strong>लाएँ</p>'],
    ['**مهم؟**yes', '<p><strong>مهم؟</strong>yes</p>'],
    ['**السعر:**٥ ريال', '<p><strong>السعر:</strong>٥ ريال</p>'],
    ['**Price:**5 and **Time:**six', '<p><strong>Price:</strong>5 and <strong>Time:</strong>six</p>'],
    ['see**(this)** now', '<p>see<strong>(this)</strong> now</p>'],
    ['*Note:*bring it', '<p><em>Note:</em>bring it</p>'],
    ['~~Old:~~new', '<p><del>Old:</del>new</p>'],
    ['**ملاحظة:**\u200f أحضروا', '<p><strong>ملاحظة:</strong>\u200f أحضروا</p>'],
    ['\u200f**ملاحظة:**\u200fأحضروا', '<p>\u200f<strong>ملاحظة:</strong>\u200fأحضروا</p>'],
    ['[**Note:**bring](https://a.example)', '<p><a href="https://a.example"><strong>Note:</strong>bring</a></p>'],
    ['**Note:**bring **now** please', '<p><strong>Note:</strong>bring <strong>now</strong> please</p>'],
    ['**ملاحظة: **أحضروا', '<p><strong>ملاحظة: </strong>أحضروا</p>'],
    ['**Note: **bring **this**', '<p><strong>Note: </strong>bring <strong>this</strong></p>'],
    ['** Note:** bring', '<p><strong> Note:</strong> bring</p>'],
    ['use *args and *kwargs', '<p>use *args and *kwargs</p>'],
    ['2 ** 3 ** 4', '<p>2 ** 3 ** 4</p>'],
    ['2 * 3 * 4 and 5*', '<p>2 * 3 * 4 and 5*</p>'],
    ['a 5* hotel and a 4* hotel', '<p>a 5* hotel and a 4* hotel</p>'],
    ['Price* is 5. *Terms apply', '<p>Price* is 5. *Terms apply</p>'],
    ['2**(3)**2', '<p>2**(3)**2</p>'],
    ['snake_case_name and _:x_y', '<p>snake_case_name and _:x_y</p>'],
    ['**open at the end', '<p>**open at the end</p>'],
    ['**one\n\ntwo:**three', '<p>**one</p>\n<p>two:**three</p>'],
  ]);
});

describe('a tag in a reply', () => {
  renders([
    ['one<br>two', '<p>one<br />\ntwo</p>'],
    ['one<br/>two<BR />three', '<p>one<br />\ntwo<br />\nthree</p>'],
    ['one <br > two', '<p>one<br />\ntwo</p>'],
    ['one<br>\ntwo', '<p>one<br />\ntwo</p>'],
    ['| a |\n|---|\n| x<br>y |', '<table><tr><td>a</td></tr>\n<tr><td>x<br />\ny</td></tr>\n</table>'],
    [
      '<b>x</b> <i class="y">z</i> <brx>',
      '<p>&lt;b&gt;x&lt;/b&gt; &lt;i class=&quot;y&quot;&gt;z&lt;/i&gt; &lt;brx&gt;</p>',
    ],
    ['`<br>`', '<p><code>&lt;br&gt;</code></p>'],
    ['<think>I should greet.</think>Hello', '<p>Hello</p>'],
    ['<think>\nI should\n\n- greet\n\n```\ncode\n</think>\n\nHello', '<p>Hello</p>'],
    ['Sure. <think>\n\nmore\n\n</think>\n\nHello', '<p>Sure.</p>\n<p>Hello</p>'],
    ['<THINK>x</THINK>\n# Title', '<h1>Title</h1>'],
    ['<thinking>x</thinking> Hello', '<p>Hello</p>'],
    ['Hello<think>never closed', '<p>Hello</p>'],
    ['</think>Hello', '<p>Hello</p>'],
    ['one <!-- a --> two', '<p>one two</p>'],
    ['<!-- a\n\nb -->\n\nHello', '<p>Hello</p>'],
    ['- one\n<!-- a -->\n- two', '<ul>\n<li>one</li>\n<li>two</li>\n</ul>'],
    ['`<!-- a -->` and `<think>`', '<p><code>&lt;!-- a --&gt;</code> and <code>&lt;think&gt;</code></p>'],
    [
      '```html\n<!-- a -->\n<think>\n```',
      '<pre><code class="language-html">&lt;!-- a --&gt;\n&lt;think&gt;\n</code></pre>',
    ],
    ['    <!-- code -->', '<pre><code>&lt;!-- code --&gt;\n</code></pre>'],
    ['\\<!-- a -->', '<p>&lt;!-- a --&gt;</p>'],
    ['I <thinker> so', '<p>I &lt;thinker&gt; so</p>'],
  ]);
});

/** Blocks whose lines may start with a mark. `%` stands for the mark. */
const marked = [
  ['%- one\n%- two', '<ul>\n<li>%one</li>\n<li>%two</li>\n</ul>'],
  ['-% one', '<ul>\n<li>%one</li>\n</ul>'],
  ['%1. one\n%2. two', '<ol>\n<li>%one</li>\n<li>%two</li>\n</ol>'],
  ['1%. one', '<ol>\n<li>one</li>\n</ol>'],
  ['%# Title', '<h1>%Title</h1>'],
  ['#% Title', '<h1>%Title</h1>'],
  ['%> quote', '<blockquote>\n<p>%quote</p>\n</blockquote>'],
  ['> %- item', '<blockquote>\n<ul>\n<li>%item</li>\n</ul>\n</blockquote>'],
  ['%---', '<hr />'],
  ['Title\n%===', '<h1>Title</h1>'],
  ['%```js\ncode\n%```', '<pre><code class="language-js">code\n</code></pre>'],
  [
    '%| a | b |\n%|---|---|\n%| 1 | 2 |%',
    '<table><tr><td>a</td><td>b</td></tr>\n<tr><td>1</td><td>2</td></tr>\n</table>',
  ],
] as const;

it('a reply that begins with an angle bracket is shown as soon as that begins no tag', () => {
  for (const text of ['<3', '<3 from us', '< 5', '<ب', '<b>', '<think>a</think>b']) assert.ok(hasShownText(text), text);
  for (const text of ['', '<', '<t', '<!-', '<!-- a', '<think>a', '</']) assert.ok(!hasShownText(text), text);
});

describe('a mark or a space that nobody sees at the start of a line', () => {
  for (const mark of directionMarks)
    for (const [text, expected] of marked)
      it(`hides no block: ${nameOf(mark)} in ${JSON.stringify(text)}`, () => {
        const written = text.replaceAll('%', mark);
        assert.equal(html(written).replaceAll(mark, ''), expected.replaceAll('%', ''));
        // The mark stays in front of the text, because it decides the text's direction.
        if (expected.includes('%')) assert.ok(html(written).includes(expected.match(/%\w+/)![0].replace('%', mark)));
        assert.equal(toHtml(parseStreamed(written, 1)).trimEnd(), html(written));
      });

  for (const space of noBreakSpaces)
    for (const [text, expected] of marked.filter(([text]) => text.startsWith('%') || !/\d%|\|%$/.test(text)))
      it(`hides no block: ${nameOf(space)} in ${JSON.stringify(text)}`, () => {
        assert.equal(html(text.replaceAll('%', space)), expected.replaceAll('%', ''));
      });

  renders([
    ['\u00a0\u00a0\u00a0\u00a0Text, not code', '<p>Text, not code</p>'],
    ['- one\n\u00a0\u00a0- nested', '<ul>\n<li>one\n<ul>\n<li>nested</li>\n</ul>\n</li>\n</ul>'],
    ['\u200fAPI هو', '<p>\u200fAPI هو</p>'],
    ['one\n\u200e\n\u00a0\ntwo', '<p>one</p>\n<p>two</p>'],
    ['- \u200f[x] done', '<ul>\n<li>\u200f[x] done</li>\n</ul>'],
    ['\u202b- واحد\u202c', '<ul>\n<li>\u202bواحد\u202c</li>\n</ul>'],
    ['```\n\u200fcode\n```', '<pre><code>\u200fcode\n</code></pre>'],
  ]);
});

describe('the number of a list item', () => {
  renders([
    ['١. واحد\n٢. اثنان', '<ol>\n<li>واحد</li>\n<li>اثنان</li>\n</ol>'],
    ['۳) سه\n۴) چهار', '<ol start="3">\n<li>سه</li>\n<li>چهار</li>\n</ol>'],
    ['\u200f١٢. بند', '<ol start="12">\n<li>بند</li>\n</ol>'.replace('بند', '\u200fبند')],
    ['نص:\n١. واحد', '<p>نص:</p>\n<ol>\n<li>واحد</li>\n</ol>'],
    ['१. एक', '<ol>\n<li>एक</li>\n</ol>'],
    ['٣.٥ ريال', '<p>٣.٥ ريال</p>'],
  ]);
});

describe('a URL in a reply', () => {
  /** The URLs of a text in their order: in quotation marks, in brackets, after a colon, beside letters. */
  const cases: readonly (readonly [text: string, ...urls: string[]])[] = [
    ['"https://a.example/x"', 'https://a.example/x'],
    ['«https://a.example/x»', 'https://a.example/x'],
    ['“https://a.example/x”اليوم', 'https://a.example/x'],
    ["'https://a.example/x'then", 'https://a.example/x'],
    ['„https://a.example/x“', 'https://a.example/x'],
    ['「https://a.example/x」です', 'https://a.example/x'],
    ['[https://a.example/x]', 'https://a.example/x'],
    ['{https://a.example/x}', 'https://a.example/x'],
    ['(https://a.example/x)اليوم', 'https://a.example/x'],
    ['(https://a.example/x)then', 'https://a.example/x'],
    ['["https://a.example/x","https://b.example/y"]', 'https://a.example/x', 'https://b.example/y'],
    ['الرابط:https://a.example/x', 'https://a.example/x'],
    ['URL:https://a.example/x;', 'https://a.example/x'],
    ['link=https://a.example', 'https://a.example'],
    ['زورواhttps://a.example/menuوالأسعار', 'https://a.example/menu'],
    ['请访问https://a.example/menu查看。', 'https://a.example/menu'],
    ['请看https://a.example，谢谢', 'https://a.example'],
    ['https://a.exampleللحجز', 'https://a.example'],
    ['地址www.a.example。', 'http://www.a.example'],
    ['https://ar.example/wiki/عمان و', 'https://ar.example/wiki/عمان'],
    ['https://مثال.عمان/طلب', 'https://مثال.عمان/طلب'],
    ['https://a.example/x\u200f\u200e.', 'https://a.example/x'],
    ['https://a.example/x\u00a0y', 'https://a.example/x'],
    ['https://a.example/x_(y)', 'https://a.example/x_(y)'],
    ['https://a.example/q?a[]=1&b=(2)', 'https://a.example/q?a[]=1&b=(2)'],
    ['https://a.example/é', 'https://a.example/é'],
    ['xhttps://a.example and git+https://a.example'],
    ['[Menu](https://shop.example/our menu.pdf)', 'https://shop.example/our menu.pdf'],
    ['[القائمة](https://shop.example/قائمة الطعام.pdf)', 'https://shop.example/قائمة الطعام.pdf'],
    ['[a](https://shop.example/a (b) c.pdf "Our menu") x', 'https://shop.example/a (b) c.pdf'],
    ['[a]( https://shop.example/a b ) x', 'https://shop.example/a b'],
    ['[a](b c d) is'],
    ['[see](https://x.example for more)', 'https://x.example'],
  ];

  const linksOf = (content: readonly Inline[]): string[] =>
    content.flatMap((part) =>
      typeof part === 'string' || !('children' in part)
        ? []
        : [...(part.type === 'link' ? [part.url] : []), ...linksOf(part.children)],
    );

  for (const [text, ...urls] of cases)
    it(`is found in ${JSON.stringify(text)}`, () => {
      assert.deepEqual(linksOf(parseInline(text, { definitions: new Map() }).content), urls);
    });

  it('is linked while the text streams only when it is complete', () => {
    for (const [text, ...urls] of cases)
      for (let end = 1; end <= text.length; end++) {
        const shown = linksOf(parseInline(text.slice(0, end), { definitions: new Map(), open: true }).content);
        for (const url of shown) assert.ok(urls.includes(url), `${text.slice(0, end)} → ${url}`);
      }
    const { content } = parseInline('see https://a.example now', { definitions: new Map(), open: true });
    assert.deepEqual(linksOf(content), ['https://a.example']);
  });
});

describe('a character reference', () => {
  it('is decoded for each name that HTML has', async () => {
    await loadAllEntities();
    const names = Object.entries(characterEntities);
    assert.equal(names.length, 2125);
    for (const [name, character] of names) assert.equal(decodeEntities(`&${name};`), character, name);
  });

  it('has the same meaning in the usual names, which need no further file', () => {
    assert.ok(Object.keys(commonEntities).length > 20);
    for (const [name, character] of Object.entries(commonEntities))
      assert.equal(character, characterEntities[name], name);
  });

  renders([
    ['25&deg;C &le; 30&#176;C', '<p>25°C ≤ 30°C</p>'],
    ['&eacute;t&eacute; &euro;5 &frac12; &rarr; &check;', '<p>été €5 ½ → ✓</p>'],
    ['&nosuch; &constructor; &copy', '<p>&amp;nosuch; &amp;constructor; &amp;copy</p>'],
    ['`&deg;`', '<p><code>&amp;deg;</code></p>'],
  ]);
});
