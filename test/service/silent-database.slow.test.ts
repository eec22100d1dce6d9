import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { eq, sql } from 'drizzle-orm';
import { processes } from '../../service/db/schema.ts';
import { openPostgres, type OpenedDatabase } from '../../service/db/open.ts';
import { isDatabaseUnavailable } from '../../service/db/unavailable.ts';
import { forwarder } from '../support/servers/forwarder.ts';
import { findPostgres, noPostgresReason } from '../support/servers/postgres.ts';
import { eventually } from './support.ts';

const server = await findPostgres();

describe('a database whose connections have become silent', { skip: server ? false : noPostgresReason }, () => {
  let line: ReturnType<typeof forwarder>;
  let database: OpenedDatabase;
  let direct: OpenedDatabase;

  before(async () => {
    const { url } = await server!.database();
    line = forwarder(new URL(url));
    await line.open();
    const through = new URL(url);
    through.port = String(line.port());
    database = await openPostgres({ url: through.href, silenceMs: 500, onError: () => {} });
    direct = await openPostgres({ url, onError: () => {} });
  });
  after(async () => {
    await database.close();
    await direct.close();
    await line.cut();
    await server!.stop();
  });

  const beats = async () => {
    const id = database.newHolder().split('/')[0]!;
    const [found] = await direct.db.select().from(processes).where(eq(processes.id, id));
    return String(found?.seenAt.getTime());
  };

  it('fails the query that waits, as unavailable, and the next one uses a new connection', async () => {
    await database.db.execute(sql`select 1`);
    line.silence();
    await assert.rejects(async () => database.db.execute(sql`select 1`), isDatabaseUnavailable);
    await database.db.execute(sql`select 1`);
  });

  it('loses no connection of the pool to transactions that could not begin', async () => {
    const begin = () => database.db.transaction((tx) => tx.execute(sql`select 1`));
    for (let each = 0; each < 9; each++) {
      await begin();
      line.silence();
      await assert.rejects(begin, isDatabaseUnavailable);
    }
    await begin();
  });

  it('receives signals again, and the process stays alive', async () => {
    const heard: (string | undefined)[] = [];
    database.signals.listen((text) => heard.push(text));
    const before = await beats();
    line.silence();
    await eventually(async () => heard.includes(undefined), 15_000);
    await direct.signals.send(direct.db, 'after');
    await eventually(async () => heard.includes('after'));
    await eventually(async () => (await beats()) !== before);
  });
});

it('a start fails when the database accepts the connection and does not respond', async () => {
  const mute = createServer(() => {}).listen(0, '127.0.0.1');
  await once(mute, 'listening');
  const url = `postgres://127.0.0.1:${(mute.address() as AddressInfo).port}/none`;
  await assert.rejects(openPostgres({ url, silenceMs: 500, onError: () => {} }), { code: 'ETIMEDOUT' });
  mute.close();
});
