import assert from 'node:assert/strict';
import { after, describe, it, before } from 'node:test';
import { sql } from 'drizzle-orm';
import { prepared, queryRows, type Db } from '../../service/db/database.ts';
import { openPostgres } from '../../service/db/open.ts';
import { agents } from '../../service/db/schema.ts';
import { PreparingPglite } from '../../service/db/preparing-pglite.ts';
import { findPostgres, noPostgresReason } from '../support/servers/postgres.ts';
import { valuesOf } from '../support/values-of.ts';
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

describe('PreparingPglite', () => {
  const database = new PreparingPglite();
  before(async () => {
    await database.exec('create table notes (id int primary key, text text, tags text[], detail jsonb)');
  });
  after(() => database.close());

  const preparedTexts = async (): Promise<string[]> => {
    const [result] = await database.exec('select statement from pg_prepared_statements order by prepare_time');
    return result!.rows.map((row) => String(row['statement']));
  };

  it('returns the same rows for a statement before and after it is prepared', async () => {
    const select =
      'select $1::int + 1 as next, $2::text as text, $3::text[] as list, $4::jsonb as json, $5::timestamptz as at';
    const at = new Date('2026-10-05T06:00:00.000Z');
    for (let run = 0; run < 12; run++) {
      const { rows } = await database.query(select, [run, `text ${run}`, ['a', null], { run }, run % 2 ? at : null]);
      const expected = {
        next: run + 1,
        text: `text ${run}`,
        list: ['a', null],
        json: { run },
        at: run % 2 ? at : null,
      };
      assert.deepEqual(rows, [expected]);
    }
    assert.equal((await preparedTexts()).filter((text) => text === select).length, 1);
  });

  it('runs a prepared statement again after an error and after a transaction that failed', async () => {
    const insert = 'insert into notes (id, text) values ($1, $2) returning id';
    for (let id = 0; id < 5; id++)
      assert.equal((await database.query<{ id: number }>(insert, [id, 'x'])).rows[0]!.id, id);
    await assert.rejects(database.query(insert, [0, 'again']), { code: '23505' });
    await assert.rejects(
      database.transaction(async (tx) => {
        await tx.query(insert, [10, 'rolled back']);
        await assert.rejects(tx.query(insert, [10, 'again']), { code: '23505' });
        await tx.query(insert, [11, 'in an aborted transaction']);
      }),
      { code: '25P02' },
    );
    await database.transaction(async (tx) => void (await tx.query(insert, [12, 'kept'])));
    const { rows } = await database.query<{ id: number }>('select id from notes order by id');
    assert.deepEqual(valuesOf(rows, 'id'), [0, 1, 2, 3, 4, 12]);
  });

  it('prepares a statement that failed in a transaction before it was prepared', async () => {
    const select = 'select count(*)::int as total from notes where id > $1';
    await database
      .transaction(async (tx) => {
        for (let run = 0; run < 5; run++) {
          if (run === 2) await assert.rejects(tx.query('select 1 / 0'));
          await tx.query(select, [0]);
        }
      })
      .catch(() => {});
    for (let run = 0; run < 5; run++) assert.equal((await database.query<any>(select, [3])).rows[0].total, 2);
  });

  it('runs prepared statements after a column was added to their table', async () => {
    const select = 'select id, text from notes where id = $1';
    for (let run = 0; run < 8; run++) await database.query(select, [0]);
    await database.exec('alter table notes add column more text');
    assert.deepEqual((await database.query(select, [0])).rows, [{ id: 0, text: 'x' }]);
  });

  it('keeps at most 200 statements prepared', async () => {
    for (let each = 0; each < 230; each++) {
      for (let run = 0; run < 3; run++) await database.query(`select ${each} as each, $1::int as run`, [run]);
    }
    const texts = await preparedTexts();
    assert.equal(texts.length, 200);
    assert.ok(texts.some((text) => text.includes('select 229')));
    assert.ok(!texts.some((text) => text.includes('select 0 ')));
    assert.deepEqual((await database.query('select 0 as each, $1::int as run', [7])).rows, [{ each: 0, run: 7 }]);
  });
});
