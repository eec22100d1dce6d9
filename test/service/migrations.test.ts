import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { migrationsFolder } from '../../service/db/open.ts';

const folder = mkdtempSync(join(tmpdir(), 'workspace-migrations-'));
after(() => rmSync(folder, { recursive: true }));

interface Journal {
  entries: { tag: string }[];
}

/** Returns a folder of the migrations before one of them. */
const migrationsBefore = (tag: string): string => {
  const earlier = join(folder, tag);
  cpSync(migrationsFolder, earlier, { recursive: true });
  const path = join(earlier, 'meta/_journal.json');
  const journal = JSON.parse(readFileSync(path, 'utf8')) as Journal;
  const end = journal.entries.findIndex((entry) => entry.tag === tag);
  assert.ok(end > 0, `${tag} is a migration`);
  writeFileSync(path, JSON.stringify({ ...journal, entries: journal.entries.slice(0, end) }));
  return earlier;
};

it('adds up the rows of an agent and month, of which there were several', async () => {
  const client = await PGlite.create({ extensions: { pg_trgm } });
  await migrate(drizzle({ client }), { migrationsFolder: migrationsBefore('0027_one_row_of_usage') });
  await client.exec(`
    insert into workspaces (id, name, plan, created_at) values ('w', 'W', 'team', now());
    insert into monthly_usage (workspace_id, month, agent_id, shard, conversations, messages) values
      ('w', '2026-10-01', 'a', 0, 1, 10), ('w', '2026-10-01', 'a', 7, 2, 20),
      ('w', '2026-10-01', 'b', 3, 4, 40), ('w', '2026-11-01', 'a', 7, 8, 80);
  `);
  await migrate(drizzle({ client }), { migrationsFolder });
  const { rows } = await client.query('select * from monthly_usage order by month, agent_id');
  assert.deepEqual(
    rows.map((row) => Object.values(row as object)),
    [
      ['w', '2026-10-01', 'a', 3, 30],
      ['w', '2026-10-01', 'b', 4, 40],
      ['w', '2026-11-01', 'a', 8, 80],
    ],
  );
  await client.close();
});
