import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { boundaries } from '../../../scripts/boundaries.mjs';

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

  it('rejects an import that the table does not list', () => {
    const { status, stderr } = check({
      'src/elements/view.ts': 'export const view = 1;',
      'src/api/client.ts': "import { view } from '../elements/view.ts'; export const client = view;",
    });
    assert.match(stderr, /not-in-allowed: src\/api\/client\.ts → src\/elements\/view\.ts/);
    assert.equal(status, 1);
  });

  it('rejects a type import that the table does not list', () => {
    const { status, stderr } = check({
      'service/main.ts': 'export type Main = 1;',
      'contract/wire.ts': "import type { Main } from '../service/main.ts'; export type Wire = Main;",
    });
    assert.match(stderr, /not-in-allowed: contract\/wire\.ts → service\/main\.ts/);
    assert.equal(status, 1);
  });

  it('rejects a package that the table does not list', () => {
    const { stderr } = check({ 'src/chat/state/store.ts': "import { html } from 'lit'; export const view = html``;" });
    assert.match(stderr, /not-in-allowed: src\/chat\/state\/store\.ts → lit/);
  });

  it('rejects a package in a folder of the service that does not list it, and accepts the modules of Node.js', () => {
    const { stderr } = check({
      'service/chat/turns.ts': "import 'node:crypto'; import pg from 'pg'; export const db = pg;",
    });
    assert.match(stderr, /^not-in-allowed: service\/chat\/turns\.ts → pg\n$/);
  });

  it('rejects a cycle that consists of type imports', () => {
    const { stderr } = check({
      'contract/one.ts': "import type { Two } from './two.ts'; export type One = Two;",
      'contract/two.ts': "import type { One } from './one.ts'; export type Two = One;",
    });
    assert.match(stderr, /no-cycles: contract\/one\.ts/);
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
