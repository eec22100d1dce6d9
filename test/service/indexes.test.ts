import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from 'drizzle-orm';
import { queryRows } from '../../service/db/database.ts';
import { useTestService } from './support.ts';

const tested = useTestService();

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
