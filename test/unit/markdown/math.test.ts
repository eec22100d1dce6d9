import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BlockParser } from '../../../src/markdown/block-parser.ts';
import { directionOfContent, toDirection } from '../../../src/markdown/direction.ts';
import { parseInline } from '../../../src/markdown/inline-parser.ts';
import { writtenText } from '../../../src/markdown/plain-text.ts';
import { MarkdownReader } from '../../../src/markdown/reader.ts';
import type { Block, Inline } from '../../../src/markdown/syntax-tree.ts';
import { valuesOf } from '../../support/values-of.ts';

const definitions = new Map<string, string>();

/** Returns the formulas in inline content, those with lines of their own as `{…}`. */
const formulasIn = (content: readonly Inline[]): string[] =>
  content.flatMap((part) => {
    if (typeof part === 'string') return [];
    if (part.type === 'math') return [part.isBlock ? `{${part.tex}}` : part.tex];
    return 'children' in part ? formulasIn(part.children) : [];
  });

const formulas = (text: string): string[] => formulasIn(parseInline(text, { definitions }).content);

const textsOf = (blocks: readonly Block[]): string[] =>
  blocks.flatMap((block) => ('children' in block ? textsOf(block.children) : 'text' in block ? [block.text] : []));

/** Formulas, by the text that contains them. */
const recognized: Record<string, string[]> = {
  $x$: ['x'],
  'Let $x$ be 5.': ['x'],
  '$a$ and $b$': ['a', 'b'],
  '($x$)': ['x'],
  '$x$, $y$; $z$.': ['x', 'y', 'z'],
  '**$x^2$**': ['x^2'],
  '[$x$](https://a.example)': ['x'],
  'the $n$-th term': ['n'],
  '$E = mc^2$': ['E = mc^2'],
  '$F = ma$': ['F = ma'],
  '$x + y = 2$': ['x + y = 2'],
  '$2x+3=7$': ['2x+3=7'],
  '$3 \\times 4$': ['3 \\times 4'],
  '$x_1*y_2*z$': ['x_1*y_2*z'],
  '$\\frac{a}{b}$': ['\\frac{a}{b}'],
  '$\\text{price in dollars} = 5$': ['\\text{price in dollars} = 5'],
  '$\\text{السرعة} = v$': ['\\text{السرعة} = v'],
  'المعادلة $x^2$ صحيحة': ['x^2'],
  'قيمة $\\pi$ تقريبًا 3.14': ['\\pi'],
  '$\\{a, b\\}$': ['\\{a, b\\}'],
  'it costs $\\$5$': ['\\$5'],
  '$α + β$': ['α + β'],
  '$|x| < 1$': ['|x| < 1'],
  '$f(x) = \\begin{cases} 1 & x > 0 \\\\ 0 & \\text{otherwise} \\end{cases}$': [
    'f(x) = \\begin{cases} 1 & x > 0 \\\\ 0 & \\text{otherwise} \\end{cases}',
  ],
  $$x$$: ['{x}'],
  '$$ x^2 $$': ['{x^2}'],
  '$$\nx = 1\n$$': ['{x = 1}'],
  'so $$a + b$$ holds': ['{a + b}'],
  '\\(x\\)': ['x'],
  'with \\(a + b\\), too': ['a + b'],
  '\\(\\sqrt{2}\\)': ['\\sqrt{2}'],
  '\\[x^2\\]': ['{x^2}'],
  '\\[\n\\sum_{i=1}^n i\n\\]': ['{\\sum_{i=1}^n i}'],
  'text \\[x^2\\] more': ['{x^2}'],
  'it is $5, and $x$ is free': ['x'],
};

/** Texts without a formula. */
const plain = [
  '$5',
  '$5 and $10',
  '$5-$10',
  '$5–$10',
  'USD $5, about $7',
  'US$5 or US$10',
  'from $1,000.00 to $2,000.00',
  '$20/$30',
  '$5/month, $50/year',
  '$5 per month and 10$',
  'costs $5 or 10$',
  '5$ and 10$',
  '5 $ and 10 $',
  '**$5** or **$10**',
  '“$5”, “$10”',
  '($5)-($10)',
  '$5. That is $3 less.',
  '$5 discount$',
  '\\$5',
  '\\$x\\$',
  '\\$5 and \\$10',
  '$a\\$',
  'السعر $5 أو $10',
  'السعر $5 أو 10$',
  'بسعر 5$ أو 10$',
  'من $5 إلى $10 في الشهر',
  '价格 $5 到 $10',
  '$AAPL, $TSLA',
  '$HOME/bin:$PATH',
  'echo $HOME and $PATH',
  '`$x$`',
  '`` $$x$$ ``',
  'a$b$c',
  '$x$5',
  '$ x$',
  '$x $',
  '$x',
  'x$',
  '$',
  '$$',
  '$$$',
  'from $$ to $$$',
  '$$ or $$',
  '$$ – $$',
  '$one\nline$',
  '\\(optional\\)',
  '\\(see below\\)',
  '\\[1\\]',
  '\\[not a link\\](https://a.example)',
  '\\[ \\] task',
  '\\\\(x\\\\)',
  '\\(x',
  '\\[x^2',
  `$${'x+'.repeat(600)}x$`,
];

describe('A formula', () => {
  for (const [text, expected] of Object.entries(recognized))
    it(`is recognized in ${JSON.stringify(text)}`, () => assert.deepEqual(formulas(text), expected));

  for (const text of plain)
    it(`is not recognized in ${JSON.stringify(text.slice(0, 60))}`, () => assert.deepEqual(formulas(text), []));

  it('is the same when the text streams, wherever it is split', () => {
    for (const text of [...Object.keys(recognized), ...plain]) {
      const long = `${text} ${'and so on. '.repeat(40)}${text}`;
      const expected = formulas(long);
      for (let end = 1; end <= text.length + 1; end++) {
        let settled: Inline[] = [];
        let start = 0;
        for (const length of [end, end + 1, end + 350]) {
          const { content, settledCount, settledLength } = parseInline(long.slice(start, length), {
            definitions,
            open: true,
          });
          settled = [...settled, ...content.slice(0, settledCount)];
          start += settledLength;
        }
        const rest = parseInline(long.slice(start), { definitions }).content;
        assert.deepEqual(formulasIn([...settled, ...rest]), expected, `${JSON.stringify(text)} at ${end}`);
      }
    }
  });

  it('that is not complete yet stays text, and a complete one never changes back', () => {
    for (const [text, [first]] of Object.entries(recognized)) {
      let isShown = false;
      for (let end = 1; end <= text.length + 5; end++) {
        const found = formulasIn(parseInline(`${text} more`.slice(0, end), { definitions, open: true }).content);
        assert.ok(found.length === 0 || found[0] === first, JSON.stringify([text, end, found]));
        assert.ok(!isShown || found.length > 0, JSON.stringify([text, end]));
        isShown = found.length > 0;
      }
      assert.ok(isShown, text);
    }
  });

  it('of several lines may have lines that would start a list, a heading or a quote', () => {
    for (const [open, close] of [
      ['$$', '$$'],
      ['\\[', '\\]'],
    ]) {
      const formula = `${open}\na\n+ b\n- c\n> d\n# e\n1. f\n${close}`;
      const parser = new MarkdownReader();
      parser.read(`Text\n\n${formula}\n- item\n`, true);
      const [, second, third] = parser.blocks.document.children;
      assert.deepEqual(textsOf([second!]), [`${formula}\n`]);
      assert.deepEqual(formulas(textsOf([second!])[0]!.trim()), ['{a\n+ b\n- c\n> d\n# e\n1. f}']);
      assert.equal(third!.type, 'list');
    }
  });

  it('without an end takes no more than its paragraph', () => {
    const parser = new BlockParser();
    for (const line of ['$$', '- a', '', '- b']) parser.read(line);
    parser.end();
    assert.deepEqual(valuesOf(parser.document.children, 'type'), ['paragraph', 'list']);
  });

  it('does not decide the direction of its paragraph', () => {
    const direction = (text: string) => toDirection(directionOfContent(parseInline(text, { definitions }).content));
    assert.equal(direction('$x$ هو المتغيّر'), 'rtl');
    assert.equal(direction('$x$ is the variable'), 'ltr');
    assert.equal(direction('$x$'), null);
  });

  it('is copied as it is written', () => {
    assert.equal(writtenText('Let $x^2$ be\n\n$$\ny\n$$'), 'Let $x^2$ be\n\n$$\ny\n$$');
  });
});
