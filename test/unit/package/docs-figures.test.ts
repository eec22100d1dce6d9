import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import { budgets } from '../../../scripts/size-budgets.ts';
import { markdownPages, type MarkdownPage } from '../../support/docs-pages.ts';
import packageJson from '../../../package.json' with { type: 'json' };

/** Returns the cells of the rows of a table, by the first cell. */
const rowsOf = (text: string): Map<string, string[]> =>
  new Map(
    [...text.matchAll(/^\|(.+)\|$/gm)].map(([, row = '']) => {
      const [name = '', ...cells] = row.split('|').map((cell) => cell.trim());
      return [name, cells];
    }),
  );

/** What the pages say about sizes: the text around the number, and the budget. */
const statements: [file: string, before: RegExp, budget: keyof typeof budgets][] = [
  ['README.md', /loads (\d+) KiB for the script tag/, 'embed'],
  ['README.md', /and (\d+) KiB for the launcher/, 'launcher'],
  ['README.md', /the panel, (\d+) KiB in total/, 'firstReply'],
  ['docs/client.md', /adds (\d+) KiB/, 'client'],
  ['docs/script-tag.md', /`embed\.js` is (\d+) KiB/, 'embed'],
  ['docs/script-tag.md', /It is (\d+) KiB and contains both languages/, 'standalone'],
  ['docs/start-site-owner.md', /Your page loads (\d+) KiB/, 'launcher'],
  ['docs/ar/start-site-owner.md', /تحمّل صفحتك (\d+) كيبيبايت/, 'launcher'],
  ['docs/theming.md', /locales\/fr'; \/\/ (\d+) KiB/, 'locale'],
  ['docs/webview.md', /\((\d+) KiB brotli\)/, 'webview'],
  ['docs/why.md', /the launcher \((\d+) KiB, brotli\)/, 'launcher'],
];

describe('Figures in the docs', () => {
  let pages: MarkdownPage[];
  const textOf = (file: string): string => pages.find((page) => page.file === file)!.text;

  before(async () => {
    pages = await markdownPages();
  });

  it('are sizes that the build must not exceed', () => {
    for (const [file, pattern, budget] of statements) {
      const stated = pattern.exec(textOf(file).replaceAll(/\s+/g, ' '))?.[1];
      assert.equal(Number(stated), budgets[budget], `${file}: ${budget}`);
    }
    const sizes = pages
      // Measured, and not of the files that a page loads.
      .filter(({ file }) => file !== 'docs/figures.md' && file !== 'docs/operations.md')
      .flatMap(({ text }) => text.match(/\d+ (?:KiB|كيبيبايت)/g) ?? []);
    assert.equal(sizes.length, statements.length, 'a size in a page is not checked');
  });

  it('of the README are those of the measurement', () => {
    const measured = rowsOf(textOf('docs/figures.md').split('\n## ')[0]!);
    const shown = [...rowsOf(textOf('README.md'))].filter(([name]) => !name.startsWith('-'));
    assert(shown.length > 8);
    for (const [name, cells] of shown) assert.deepEqual(cells, measured.get(name)?.slice(0, cells.length), name);
  });

  it('count the faults that are tested', () => {
    const count = /each of these (\d+) faults/.exec(textOf('docs/faults.md'))?.[1];
    assert.equal(/Survives \[(\d+) faults\]/.exec(textOf('README.md'))?.[1], count);
  });

  it('name the versions that the package and the code require', async () => {
    const node = packageJson.engines.node.replace('>=', '').replace(/\.0$/, '');
    for (const file of ['README.md', 'CONTRIBUTING.md']) assert(textOf(file).includes(`Node.js ${node}`), file);
    const code = await readFile('scripts/check-browsers.ts', 'utf8');
    const floor = (name: string): string => new RegExp(`\\b${name}: (\\d+)`).exec(code)![1]!;
    const required = `Chrome ${floor('chrome')}, Safari ${floor('safari')}`;
    for (const file of ['README.md', 'docs/why.md']) {
      assert.match(textOf(file), new RegExp(`${required}(?:,| or) Firefox ${floor('firefox')}`), file);
    }
  });

  it('leave the README short', () => {
    assert(textOf('README.md').split('\n').length < 150);
  });
});
