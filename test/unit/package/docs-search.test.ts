import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import { languageModelFiles, textOf } from '../../../docs/site/language-model-files.ts';
import { pageGroups, summaryOf } from '../../../docs/site/pages.ts';
import { termOf, withSearchWords } from '../../../docs/site/search-terms.ts';
import { markdownPages } from '../../support/docs-pages.ts';

describe('The search of the docs', () => {
  it('finds an Arabic word with and without its article, its vowel marks and the variants of a letter', () => {
    const forms = {
      تثبيت: ['التثبيت', 'والتثبيت', 'للتثبيت', 'بالتثبيت', 'تَثْبِيت'],
      ايقونه: ['الأيقونة', 'أيقونة', 'ايقونه'],
      // A short word keeps its first letters.
      الى: ['إلى'].map(() => 'الى'),
    };
    for (const [form, words] of Object.entries(forms))
      for (const word of words) assert.equal(termOf(word), termOf(form), word);
    assert.equal(termOf('Dark'), 'dark');
    assert.equal(termOf('الله'), 'الله');
  });

  it('works in a page to which the function is copied as text', () => {
    const copied = runInNewContext(`(${termOf.toString()})`) as typeof termOf;
    assert.equal(copied('التثبيت'), 'تثبيت');
  });

  it('finds the pages by words that they do not contain, which are not shown', async () => {
    const pages = await markdownPages();
    const found = (words: string) =>
      pages.filter(({ text }) => /^---\nsearch: (.*)$/m.exec(text)?.[1]?.includes(words)).map(({ file }) => file);
    assert.deepEqual(found('logged in user'), ['docs/identity.md']);
    assert.deepEqual(found('dark mode'), ['docs/theming.md']);
    // What newcomers have searched for, and did not find.
    for (const words of ['SSO', 'GTM', 'SRI', 'position', 'Wix', 'Ollama', 'API key leaked', '429', 'الخصوصية'])
      assert.ok(found(words).length > 0, words);
    assert.equal(withSearchWords('<h1>A</h1><p>B</p>', 'logged in'), '<h1>A</h1><p>logged in</p><p>B</p>');
    assert.equal(withSearchWords('<h1>A</h1>', undefined), '<h1>A</h1>');
  });
});

it('The files for language models have absolute addresses, and no metadata of a page', async () => {
  const texts = new Map((await markdownPages()).map(({ file, text }) => [file, text]));
  const read = (page: string) => texts.get(`docs/${page}.md`)!;
  const files = languageModelFiles(pageGroups.en, read, 'https://docs.example/chat/');
  const links = [...files['llms.txt'].matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link!);
  assert.ok(links.length > 40);
  assert.deepEqual(
    links.filter((link) => !/^https:\/\/docs\.example\/chat\/[\w/-]+\.md$/.test(link)),
    [],
  );
  for (const text of Object.values(files)) assert.doesNotMatch(text, /^search: /m);
  const withoutCode = files['llms-full.txt'].replace(/^(```+)[^]*?^\1/gm, '');
  const relative = [...withoutCode.matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g)].map(([, link]) => link);
  assert.deepEqual(relative, []);
  const page =
    'See [the API](../api.md#events), [here](#a), [studio](../../demo/theming.html) and [code](../../src/a.ts).';
  const site = 'https://docs.example/chat/';
  assert.equal(
    textOf('recipes/README', page, site),
    `See [the API](${site}api.md#events), [here](${site}recipes/index.md#a), [studio](${site}theme-studio.html) and code (\`src/a.ts\`).`,
  );
  assert.equal(summaryOf('---\nsearch: a, b\n---\n\n# Title\n\nThe text.'), 'The text.');
});
