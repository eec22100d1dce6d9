import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';

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
});
