import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from 'drizzle-orm';
import { prepared, queryRows, type Db } from '../../service/db/database.ts';
import { openPostgres } from '../../service/db/open.ts';
import { agents } from '../../service/db/schema.ts';
import { findPostgres, noPostgresReason } from '../support/servers/postgres.ts';
import { useTestService } from './support.ts';

const findAgent = prepared('test.find_agent', (db) =>
  db
    .select({ id: agents.id })
    .from(agents)
    .where(sql`${agents.id} = ${sql.placeholder('id')}`),
);

const tested = useTestService();

it('a prepared statement takes any text, as PostgreSQL stores no NUL character', async () => {
  assert.deepEqual(await findAgent(tested.service.db, { id: '\0' }), []);
  assert.equal((await findAgent(tested.service.db, { id: `${tested.agentId}\0` })).length, 1);
});

describe('a prepared statement on PostgreSQL', async () => {
  const server = await findPostgres();
  after(() => server?.stop());
  const skip = server ? false : noPostgresReason;

  const preparedNames = async (db: Db): Promise<string[]> => {
    await findAgent(db, { id: 'agt_other' });
    // One query after the other uses the same connection of the pool.
    const rows = await queryRows<{ name: string }>(db, sql`select name from pg_prepared_statements where name <> ''`);
    return rows.map(({ name }) => name);
  };

  it('is parsed once for each connection', { skip }, async () => {
    const { url } = await server!.database();
    const { close, db } = await openPostgres({ url, onError: assert.ifError });
    assert.deepEqual(await preparedNames(db), ['test.find_agent']);
    await close();
  });

  it('has no name behind a pooler, which may run it on another connection', { skip }, async () => {
    const { url } = await server!.database();
    const directUrl = `${url}${url.includes('?') ? '&' : '?'}application_name=direct`;
    const { close, db } = await openPostgres({ url, directUrl, onError: assert.ifError });
    assert.deepEqual(await preparedNames(db), []);
    await close();
  });
});
