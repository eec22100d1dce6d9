import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { docsFiles } from '../../support/docs-pages.ts';
import { snippetsFor, type Platform } from '../../../demo/installer-snippets.ts';

/** The pages of the docs with the examples that they show. */
const samples: Record<string, string[]> = {
  'docs/client.md': ['client/src/plain.ts', 'client/src/react.tsx'],
  'docs/testing.md': [
    'testing/test/page.test.ts',
    'testing/test/conversation.test.ts',
    'testing/test/page.spec.ts',
    'testing/vitest.config.ts',
  ],
};

/** The recipes of the platforms that the installer knows. */
const recipes: Record<string, Platform> = {
  'docs/start-site-owner.md': 'html',
  'docs/recipes/wordpress.md': 'wordpress',
  'docs/recipes/shopify.md': 'shopify',
  'docs/recipes/google-tag-manager.md': 'gtm',
  'docs/recipes/nextjs.md': 'next',
};

/** The values that stand for the reader's own in all pages. */
const settings = {
  baseUrl: 'https://api.example/api/v2',
  publishableKey: 'svc_pk_…',
  agentId: 'agt_…',
  scriptUrl: 'https://cdn.example/embed.js',
};

/** The formatter changes the spaces of some languages, and adds commas. */
const withoutFormat = (code: string): string => code.replaceAll(/\s|,(?=\s*[}\])])/g, '').replaceAll(/[()]/g, '');

describe('The docs', () => {
  for (const [page, files] of Object.entries(samples)) {
    it(`show the examples that the framework tests run in ${page}`, async () => {
      const text = await readFile(page, 'utf8');
      for (const file of files) {
        const code = (await readFile(`demo/frameworks/${file}`, 'utf8')).trimEnd();
        assert(text.includes(`\n${code}\n\`\`\``), `${page} shows another version of ${file}`);
      }
    });
  }

  it('pass no failed response on as a proof of identity', async () => {
    for (const file of [...(await docsFiles()), 'demo/shop.ts']) {
      const blocks = (await readFile(file, 'utf8')).split(/^(?:```.*|)$/m);
      for (const block of blocks.filter((code) => /fetch\(.*(?:proof|token)|rest_url/.test(code)))
        assert(/\bthrow new Error\b/.test(block), `${file} takes a failure for a proof, or for nobody:\n${block}`);
    }
  });

  // A page that the server renders knows who is signed in.
  for (const page of ['wordpress', 'laravel', 'django', 'php', 'turbo-rails']) {
    it(`call identify for anonymous visitors, too, in docs/recipes/${page}.md`, async () => {
      const text = await readFile(`docs/recipes/${page}.md`, 'utf8');
      assert(text.includes("WorkspaceChat('identify', async () =>"));
      assert(text.includes("WorkspaceChat('identify', null)"));
    });
  }

  for (const [page, platform] of Object.entries(recipes)) {
    it(`show the code that the installer writes in ${page}`, async () => {
      const text = withoutFormat(await readFile(page, 'utf8'));
      const snippets = snippetsFor(platform, settings).filter(({ code }) => !code.startsWith('#'));
      assert(snippets.length > 0);
      for (const { code } of snippets) assert(text.includes(withoutFormat(code)), code);
    });
  }
});
