import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { Client } from 'pg';
import { forwarder } from '../support/servers/forwarder.ts';
import { findPostgres, noPostgresReason } from '../support/servers/postgres.ts';
import { eventually, TestService, type StreamEvent } from './support.ts';

const server = await findPostgres();

describe('the service without its database', { skip: server ? false : noPostgresReason }, () => {
  const tested = new TestService();
  let line: ReturnType<typeof forwarder>;
  let direct: URL;
  let key: string;
  let chunkDelay = 0;

  before(async () => {
    const { url } = await server!.database();
    direct = new URL(url);
    const admin = new Client({ connectionString: url });
    await admin.connect();
    await admin.query('drop role if exists limited');
    await admin.query('create role limited login');
    await admin.query(`alter database ${direct.pathname.slice(1)} owner to limited`);
    await admin.end();
    line = forwarder(direct);
    await line.open();
    const through = new URL(url);
    through.username = 'limited';
    through.port = String(line.port());
    await tested.start({ databaseUrl: through.href, encryptionKey: 'same', chunkDelay: () => chunkDelay });
    key = tested.service.demo.secretKey;
  });
  beforeEach(() => tested.nextMinute());
  after(async () => {
    await tested.service.close();
    await line.cut();
    await server!.stop();
  });

  const admin = async (statement: string) => {
    const client = new Client({ connectionString: direct.href });
    await client.connect();
    return client
      .query(statement)
      .then(({ rows }) => rows)
      .finally(() => client.end());
  };
  /** Runs something while another connection holds the lock of a table. */
  const whileLocked = async (table: string, run: () => Promise<void>) => {
    const blocker = new Client({ connectionString: direct.href });
    await blocker.connect();
    await blocker.query('begin');
    await blocker.query(`lock table ${table} in access exclusive mode`);
    await run().finally(async () => {
      await blocker.query('rollback');
      await blocker.end();
    });
  };
  /** Waits until a statement waits for a lock, and calls a function of PostgreSQL with its process. */
  const onceWaiting = (call: string) =>
    eventually(async () => {
      const rows = await admin(
        `select ${call} from pg_stat_activity where usename = 'limited' and wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    });
  /** Ends the statement that waits for a lock, as the timeout of statements does. */
  const cancelWaiting = () => onceWaiting('pg_cancel_backend(pid)');
  const recovered = () => eventually(async () => (await tested.call('GET', '/me', { key })).status === 200);

  const calls: [string, () => Promise<{ status: number; headers: Headers; error: { code: string } }>][] = [
    ['a read', () => tested.call('GET', '/agents', { key })],
    ['a write', () => tested.call('POST', '/contacts', { key, body: { external_id: 'x' } })],
    ['a chat call', () => tested.chat('Hello', { key })],
    ['an operation of the team', () => tested.call('GET', '/../../team/overview', { key })],
  ];
  const losses: [how: string, lose: () => Promise<unknown>][] = [
    ['the line is cut', () => onceWaiting('pid').then(line.cut)],
    ['the server ends it', () => onceWaiting('pg_terminate_backend(pid)')],
  ];
  for (const [name, call] of calls) {
    it(`responds to ${name} with 503 and Retry-After while the database is down, and recovers`, async () => {
      await line.cut();
      const { status, headers, error } = await call();
      assert.deepEqual([status, error.code], [503, 'service_unavailable']);
      assert.ok(Number(headers.get('retry-after')) > 0);
      await line.open();
      await recovered();
    });
  }

  it('lets the page of a visitor read that the database is down, although it cannot look up the websites of the agent', async () => {
    const origin = 'https://palmandclay.example';
    await line.cut();
    const asked = { origin, 'access-control-request-method': 'POST' };
    const preflight = await tested.call('OPTIONS', tested.chatPath, { headers: asked });
    const { status, headers } = await tested.chat('Hello', { key, headers: { origin } });
    await line.open();
    await recovered();
    assert.deepEqual([preflight.status, status], [204, 503]);
    for (const each of [preflight.headers, headers]) assert.equal(each.get('access-control-allow-origin'), origin);
    assert.match(headers.get('access-control-expose-headers')!, /Retry-After/);
  });

  it('responds with 503 and Retry-After when the database has no free connection, and recovers', async () => {
    await admin('alter role limited connection limit 0');
    await admin(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'limited'`);
    const { status, headers, error } = await eventually(async () => {
      const response = await tested.call('GET', '/agents', { key });
      return response.status === 200 ? undefined : response;
    });
    assert.deepEqual([status, error.code], [503, 'service_unavailable']);
    assert.ok(Number(headers.get('retry-after')) > 0);
    await admin('alter role limited connection limit -1');
    await recovered();
  });

  for (const [how, lose] of losses) {
    it(`responds with 503 when it loses a connection within a transaction because ${how}, and recovers`, async () => {
      await whileLocked('contacts', async () => {
        const waiting = tested.call('POST', '/contacts', { key, body: { external_id: how } });
        await lose();
        const { status, error } = await waiting;
        assert.deepEqual([status, error.code], [503, 'service_unavailable']);
      });
      if (!line.isOpen()) await line.open();
      await recovered();
    });
  }

  it('responds with 503 when a statement is ended by its timeout, and logs the cause', async () => {
    tested.log.length = 0;
    await whileLocked('contacts', async () => {
      const waiting = tested.call('GET', '/contacts', { key });
      await cancelWaiting();
      const { status } = await waiting;
      assert.equal(status, 503);
      assert.ok(tested.log.some(({ event, error }) => event === 'failure' && /code=57014/.test(String(error))));
    });
  });

  it('does not ask for a repetition of a plain chat call without a key whose message is stored', async () => {
    const sendAndCancel = async (headers: Record<string, string>) => {
      const response = tested.chat('When are you open?', { key, headers });
      await cancelWaiting();
      return response;
    };
    // The turn reads this table after it has stored the message.
    await whileLocked('actions', async () => {
      const plain = await sendAndCancel({});
      assert.deepEqual([plain.status, plain.error.code], [500, 'internal_error']);
      tested.nextMinute();
      const repeatable = await sendAndCancel({ 'idempotency-key': 'one' });
      assert.deepEqual([repeatable.status, repeatable.error.code], [503, 'service_unavailable']);
    });
    assert.equal((await tested.chat('When are you open?', { key, headers: { 'idempotency-key': 'one' } })).status, 200);
  });

  // A statement whose line is cut goes on in the database, and its answer is lost.
  for (const [how, lose] of losses) {
    it(`stores a streamed reply once, although it loses the connection because ${how}`, async () => {
      chunkDelay = 100;
      const events: StreamEvent[] = [];
      const stream = tested.stream('When are you open?', { key });
      const receive = async (until: string) => {
        for (;;) {
          const { value, done } = await stream.next();
          if (value) events.push(value);
          if (done || value.event === until) return;
        }
      };
      await receive('delta');
      let rest = Promise.resolve();
      await whileLocked('messages', async () => {
        rest = receive('done');
        await lose();
      });
      chunkDelay = 0;
      if (!line.isOpen()) await line.open();
      await rest;
      const { event, data } = events.at(-1)!;
      assert.equal(event, 'done');
      const stored = await admin(
        `select content from messages where conversation_id = '${data.conversation_id}' and role = 'assistant'`,
      );
      assert.deepEqual(stored, [{ content: data.message.content }]);
      await recovered();
    });
  }

  describe('after the database was down for a moment', () => {
    /** Starts a call that uses the table, and cuts the line while it waits. */
    const interrupt = async (table: string, call: () => Promise<{ status: number }>) => {
      await whileLocked(table, async () => {
        const waiting = call();
        await onceWaiting('pid');
        await line.cut();
        assert.notEqual((await waiting).status, 200);
      });
      await line.open();
      await recovered();
    };

    it('leaves the conversation of an interrupted turn free, before its lease ends', async () => {
      const { body } = await tested.chat('Hello', { key });
      const id = body.conversation_id;
      await interrupt('messages', () => tested.chat('When are you open?', { key, conversation_id: id }));
      const isFree = async () => {
        const [row] = await admin(`select turn_holder from conversations where id = '${id}'`);
        return row?.turn_holder === null;
      };
      await eventually(isFree);
    });

    it('leaves the Idempotency-Key of an interrupted call free, before its lease ends', async () => {
      const create = () =>
        tested.api('POST', '/contacts', { external_id: 'after the outage' }, { 'idempotency-key': 'outage' });
      await interrupt('contacts', create);
      const isFree = async () => {
        const [row] = await admin(`select lease_until from idempotency_keys where key = 'outage'`);
        return row.lease_until < new Date(tested.clock.now);
      };
      await eventually(isFree);
      assert.equal((await create()).status, 201);
    });
  });
});
