import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { boundaries, unusedPermissions } from '../../../scripts/boundaries.mjs';

const script = fileURLToPath(new URL('../../../scripts/boundaries.mjs', import.meta.url));

describe('The check of the folder boundaries', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'workspace-chat-boundaries-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  const check = (files: Record<string, string>) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' });
    return { status, stdout, stderr };
  };

  it('accepts an import that the table lists', () => {
    const { status, stdout } = check({
      'contract/wire.ts': 'export const limit = 1;',
      'src/api/client.ts': "import { limit } from '../../contract/wire.ts'; export const client = limit;",
    });
    assert.match(stdout, /2 modules, 0 violations/);
    assert.equal(status, 0);
  });

  it('rejects imports, types and packages that the table does not list, and cycles of types', () => {
    const { status, stderr } = check({
      'src/elements/view.ts': 'export const view = 1;',
      'src/api/client.ts': "import { view } from '../elements/view.ts'; export const client = view;",
      'service/main.ts': 'export type Main = 1;',
      'contract/wire.ts': "import type { Main } from '../service/main.ts'; export type Wire = Main;",
      'src/chat/state/store.ts': "import { html } from 'lit'; export const view = html``;",
      'service/core/ids.ts': "import 'node:crypto'; import pg from 'pg'; export const db = pg;",
      'contract/one.ts': "import type { Two } from './two.ts'; export type One = Two;",
      'contract/two.ts': "import type { One } from './one.ts'; export type Two = One;",
    });
    assert.equal(status, 1);
    const expected = [
      'not-in-allowed: src/api/client.ts → src/elements/view.ts',
      'not-in-allowed: contract/wire.ts → service/main.ts',
      'not-in-allowed: src/chat/state/store.ts → lit',
      'not-in-allowed: service/core/ids.ts → pg',
      'no-cycles: contract/one.ts',
    ];
    for (const line of expected) assert.ok(stderr.includes(line), `${line} is missing:\n${stderr}`);
    // The modules of Node.js are allowed.
    assert.doesNotMatch(stderr, /crypto/);
  });

  it('names each permission that no module uses', () => {
    const dependency = (resolved: string) => ({ resolved, dependencyTypes: [] });
    const row = (name: string) =>
      unusedPermissions([
        { source: 'src/elements/view.ts', dependencies: [dependency('src/styles/sheet.ts')] },
        { source: 'src/api/client.ts', dependencies: [dependency('node_modules/eventsource-parser/dist/stream.js')] },
      ]).filter((line) => line.includes(`: ${name} →`));
    assert.deepEqual(row('src/api'), ['unused permission: src/api → contract']);
    assert.ok(!row('src/elements').includes('unused permission: src/elements → src/styles'));
    assert.ok(row('src/elements').includes('unused permission: src/elements → lit'));
  });

  it('fails when a file cannot be parsed', () => {
    const { status, stderr } = check({ 'src/api/broken.ts': 'import {' });
    assert.notEqual(status, 0);
    assert.notEqual(stderr, '');
  });

  it('uses the table that docs/architecture.md shows', () => {
    // The formatter pads the cells of Markdown tables.
    const page = readFileSync('docs/architecture.md', 'utf8').replaceAll(/ +/g, ' ');
    const code = (names: readonly string[]) =>
      names.map((name) => (name === '*' ? 'any' : `\`${name}\``)).join(' ') || '–';
    const rows = Object.entries(boundaries).map(
      ([name, { imports, packages }]) => `| \`${name}\` | ${code(imports)} | ${code(packages)} |`,
    );
    for (const row of rows) assert.ok(page.includes(row), `docs/architecture.md lacks the row: ${row}`);
  });
});
