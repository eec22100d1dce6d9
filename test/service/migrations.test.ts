import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { sql } from 'drizzle-orm';
import { migrationsFolder } from '../../service/db/open.ts';
import { usageByAgent } from '../../service/chat/usage-counts.ts';
import { queryRows } from '../../service/db/database.ts';
import { monthlyUsage } from '../../service/db/schema.ts';
import { useTestService } from './support.ts';

const tested = useTestService();

/** Returns the statements of a migration. */
const statementsOf = (tag: string): string[] =>
  readFileSync(join(migrationsFolder, `${tag}.sql`), 'utf8').split('--> statement-breakpoint');

it('keeps the snapshot of the newest migration only', () => {
  const folder = join(migrationsFolder, 'meta');
  const { entries } = JSON.parse(readFileSync(join(folder, '_journal.json'), 'utf8')) as { entries: { tag: string }[] };
  const [number] = entries.at(-1)!.tag.split('_');
  assert.deepEqual(readdirSync(folder).toSorted(), [`${number}_snapshot.json`, '_journal.json']);
});

it('has an index for each foreign key whose row can be deleted, so that a deletion scans no table', async () => {
  // Workspaces, members and agents are never deleted.
  const unindexed = await queryRows<{ name: string }>(
    tested.service.db,
    sql`select c.conrelid::regclass || '.' || a.attname as name
        from pg_constraint c
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
        where c.contype = 'f' and c.connamespace = 'public'::regnamespace
          and c.confrelid not in ('workspaces'::regclass, 'members'::regclass, 'agents'::regclass)
          and not exists (select from pg_index i
            where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1] and i.indpred is null)
        order by 1`,
  );
  assert.deepEqual(unindexed, []);
});

it('adds up the rows of an agent and month, of which there were several', async () => {
  const { db } = tested.service;
  const workspaceId = 'wsp_palm_and_clay';
  const [create] = statementsOf('0016_monthly_usage');
  await db.execute(sql`drop table ${monthlyUsage}`);
  await db.execute(sql.raw(create!));
  await db.execute(sql`
    insert into ${monthlyUsage} (workspace_id, month, agent_id, shard, conversations, messages) values
      (${workspaceId}, '2026-10-01', 'a', 0, 1, 10), (${workspaceId}, '2026-10-01', 'a', 7, 2, 20),
      (${workspaceId}, '2026-10-01', 'b', 3, 4, 40), (${workspaceId}, '2026-11-01', 'a', 7, 8, 80)`);
  for (const statement of statementsOf('0027_one_row_of_usage')) await db.execute(sql.raw(statement));
  assert.deepEqual(
    await usageByAgent(db, workspaceId, '2026-10-01'),
    new Map([
      ['a', { conversations: 3, messages: 30 }],
      ['b', { conversations: 4, messages: 40 }],
    ]),
  );
  const november = await usageByAgent(db, workspaceId, '2026-11-01');
  assert.deepEqual(november, new Map([['a', { conversations: 8, messages: 80 }]]));
});
