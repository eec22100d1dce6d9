import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import browserData from '@mdn/browser-compat-data' with { type: 'json' };
import { pageGroups, routeOf } from '../../../docs/site/pages.ts';
import { budgets } from '../../../scripts/size-budgets.ts';
import { markdownPages, type MarkdownPage } from '../../support/docs-pages.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import pageScores from '../../bench/pages.json' with { type: 'json' };
import { generatedSections, type PageScores } from '../../bench/sections.ts';

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
  ['README.md', /downloads ([\d.]+) KiB for the script tag/, 'embed'],
  ['README.md', /and ([\d.]+) KiB for the launcher/, 'launcher'],
  ['README.md', /language, ([\d.]+) KiB in all/, 'usable'],
  ['README.md', /Arabic has ([\d.]+) KiB more/, 'arabic'],
  ['README.md', /each further language a file of at most ([\d.]+) KiB/, 'locale'],
  ['docs/client.md', /adds ([\d.]+) KiB/, 'client'],
  ['docs/script-tag.md', /`embed\.js` is ([\d.]+) KiB/, 'embed'],
  ['docs/script-tag.md', /It is ([\d.]+) KiB and contains English and Arabic/, 'standalone'],
  ['docs/start-site-owner.md', /Your page downloads ([\d.]+) KiB/, 'launcher'],
  ['docs/ar/start-site-owner.md', /تحمّل صفحتك ([\d.]+) كيلوبايت/, 'launcher'],
  ['docs/theming.md', /locales\/fr'; \/\/ ([\d.]+) KiB/, 'locale'],
  ['docs/script-tag.md', /of at most ([\d.]+) KiB, by themselves/, 'locale'],
  ['docs/webview/README.md', /\(([\d.]+) KiB brotli\)/, 'webview'],
  ['docs/why.md', /the launcher \(([\d.]+) KiB, brotli\)/, 'launcher'],
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
      .flatMap(({ text }) => text.match(/[\d.]+ (?:KiB|كيلوبايت)/g) ?? []);
    assert.equal(sizes.length, statements.length, 'a size in a page is not checked');
  });

  it('of the README are those of the measurement', () => {
    const [widgets = '', ...sections] = textOf('docs/figures.md').split('\n## ');
    const abilities = sections.find((section) => section.startsWith('What works'))!;
    const measured = new Map([...rowsOf(widgets), ...rowsOf(abilities)]);
    const shown = [...rowsOf(textOf('README.md'))].filter(([name]) => !name.startsWith('-'));
    assert(shown.length > 5);
    for (const [name, cells] of shown) assert.deepEqual(cells, measured.get(name)?.slice(0, cells.length), name);
  });

  it('of the other sections are those of the stored measurements', () => {
    const withoutLayout = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll(/-{2,}/g, '---').trim();
    const figures = withoutLayout(textOf('docs/figures.md'));
    for (const section of generatedSections()) {
      const cells = withoutLayout(section).replaceAll(/:?---:?/g, '---');
      assert(figures.replaceAll(/:?---:?/g, '---').includes(cells), section.split('\n')[0]);
    }
  });

  it('include the scores of every page of the site, each at least 95', () => {
    const pages = Object.values(pageGroups).flatMap((groups) => groups.flatMap((group) => group.pages));
    const paths = pages.map((page) => `/${routeOf(page)}.html`.replace(/index\.html$/, ''));
    const missing = [...paths, '/installer.html'].filter((path) => !Object.hasOwn(pageScores, path));
    assert.deepEqual(missing, [], 'measure these pages: npm run docs:lighthouse -- <path>');
    for (const [path, scores] of Object.entries(pageScores as PageScores)) assert(Math.min(...scores) >= 95, path);
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

  it('name the first browsers with a feature as MDN does', () => {
    const features = {
      navigation: browserData.api['Window']!['navigation']!,
      integrity: browserData.html.elements!['script']!['type']!['importmap']!['integrity']!,
    };
    const first = (feature: keyof typeof features, browser: 'chrome' | 'firefox' | 'safari'): string => {
      const { [browser]: support } = features[feature].__compat!.support;
      return String([support!].flat()[0]!.version_added);
    };
    const text = textOf('docs/script-tag.md').replaceAll(/\s+/g, ' ');
    const navigation = `Firefox before ${first('navigation', 'firefox')}, Safari before ${first('navigation', 'safari')}`;
    const integrity = `Chrome ${first('integrity', 'chrome')}, Safari ${first('integrity', 'safari')} and Firefox ${first('integrity', 'firefox')}`;
    assert(text.includes(navigation), navigation);
    assert(text.includes(`check \`integrity\` from ${integrity} on`), integrity);
  });

  it('name the packages that the widget depends on', () => {
    const found = /has (\w+) dependencies at run time: ([^.]+)\./.exec(textOf('docs/security.md'));
    const [, count, list] = found!;
    const names = Object.keys(packageJson.dependencies).sort();
    assert.deepEqual(Array.from(list!.matchAll(/`([^`]+)`/g), ([, name]) => name!).sort(), names);
    assert.equal(count, ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'][names.length]);
  });

  it('leave the README short', () => {
    assert(textOf('README.md').split('\n').length < 150);
  });
});
