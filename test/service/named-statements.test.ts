import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from 'drizzle-orm';
import { queryRows } from '../../service/db/database.ts';
import { named } from '../../service/db/named-statements.ts';
import { openPostgres } from '../../service/db/open.ts';
import { findPostgres, noPostgresReason } from '../support/servers/postgres.ts';

const server = await findPostgres();

describe('a named statement', { skip: server ? false : noPostgresReason }, () => {
  after(() => server!.stop());
  const preparedAfter = async (directUrl: (url: string) => string): Promise<string[]> => {
    const { url } = await server!.database();
    const opened = await openPostgres({ url, directUrl: directUrl(url), onError: assert.fail });
    for (const value of [1, 2]) {
      const rows = await queryRows(opened.db, named('test.sum', sql`select ${value}::int + 1 as sum`));
      assert.deepEqual(rows, [{ sum: value + 1 }]);
    }
    const prepared = await queryRows<{ name: string }>(opened.db, sql`select name from pg_prepared_statements`);
    await opened.close();
    return prepared.map(({ name }) => name);
  };

  it('is prepared once for a connection of the database', async () => {
    assert.deepEqual(await preparedAfter((url) => url), ['test.sum']);
  });

  it('is not prepared behind a pooler', async () => {
    assert.deepEqual(await preparedAfter((url) => `${url}?application_name=direct`), []);
  });
});
