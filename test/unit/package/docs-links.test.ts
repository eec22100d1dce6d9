import assert from 'node:assert/strict';
import { access } from 'node:fs/promises';
import { dirname, normalize } from 'node:path';
import { before, describe, it } from 'node:test';
import { pageGroups } from '../../../docs/site/pages.ts';
import { slugOf } from '../../../docs/site/slug.ts';
import { docsFiles, markdownPages, withoutCode, type MarkdownPage } from '../../support/docs-pages.ts';

/** Returns the ids of the headings of a page. A repeated heading gets a number. */
const idsOf = (text: string): string[] => {
  const counts = new Map<string, number>();
  const headings = text.replaceAll(/^(`{3,}).*\n[\s\S]*?^\1$/gm, '').matchAll(/^#{1,6} (.+)$/gm);
  return [...headings].map(([, heading = '']) => {
    const id = slugOf(heading.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, ''));
    const count = counts.get(id) ?? 0;
    counts.set(id, count + 1);
    return count ? `${id}-${count}` : id;
  });
};

/** Returns the targets of the links and the pictures of a page. */
const targetsOf = (text: string): string[] =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);

describe('The pages of the docs', () => {
  let pages: MarkdownPage[];
  let ids: Map<string, string[]>;

  before(async () => {
    pages = await markdownPages();
    ids = new Map(pages.map(({ file, text }) => [file, idsOf(text)]));
  });

  it('link to existing files and sections', async () => {
    let count = 0;
    for (const { file, text } of pages) {
      for (const target of targetsOf(text).filter((each) => !/^(https:|mailto:)/.test(each))) {
        const [path = '', anchor] = target.split('#');
        const linked = path ? normalize(`${dirname(file)}/${path}`).replaceAll('\\', '/') : file;
        await assert.doesNotReject(access(linked), `${file}: there is no ${target}`);
        if (anchor !== undefined) {
          assert(ids.get(linked)?.includes(decodeURI(anchor)), `${file}: there is no section ${target}`);
        }
        count++;
      }
    }
    assert(count > 100, `only ${count} links were found`);
  });

  it('have one heading of the first level, and no heading twice', () => {
    for (const { file, text } of pages.filter(
      ({ file }) => file.startsWith('docs/') && !file.endsWith('changelog.md'),
    )) {
      const code = text.replaceAll(/^(`{3,}).*\n[\s\S]*?^\1$/gm, '');
      assert.equal(code.match(/^# /gm)?.length, 1, file);
      const found = ids.get(file)!;
      assert.equal(new Set(found).size, found.length, file);
    }
  });

  it('say in Arabic that the English page is the reference', () => {
    const arabic = pages.filter(({ file }) => file.startsWith('docs/ar/'));
    assert(arabic.length >= 4);
    for (const { file, text } of arabic) {
      assert.match(text, /^> النص الإنجليزي هو المرجع: \[.*\]\(\.\.\/[\w-]+\.md\)\.$/m, file);
    }
  });

  it('are all in the menu of the site, once', async () => {
    const listed = Object.values(pageGroups).flatMap((groups) => groups.flatMap((group) => group.pages));
    assert.deepEqual(
      listed.map((page) => `docs/${page}.md`).sort(),
      (await docsFiles()).filter((file) => !file.startsWith('docs/decisions/')),
    );
  });
});
