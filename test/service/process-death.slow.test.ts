import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Client } from 'pg';
import { hasPgbouncer, noPgbouncerReason, startPgbouncer } from '../support/servers/pgbouncer.ts';
import { findPostgres, noPostgresReason } from '../support/servers/postgres.ts';
import { startService, type ServiceProcess } from '../support/servers/service-process.ts';
import { eventually, post, readEvents, useFolders } from './support.ts';

const server = await findPostgres();
const folder = useFolders()();
after(() => server?.stop());

const send = (at: ServiceProcess, key: string, content: string, more: object = {}) =>
  post(`${at.baseUrl}/agents/${at.agentId}/chat`, { messages: [{ role: 'user', content }], ...more }, { key });

const startTwo = (environment: Record<string, string>) =>
  Promise.all(
    [1, 2].map(() =>
      startService(['--data', join(folder, randomUUID()), '--drain-seconds', '3'], {
        WORKSPACE_ENCRYPTION_KEY: 'the same for both',
        ...environment,
      }),
    ),
  ) as Promise<[ServiceProcess, ServiceProcess]>;

/** Starts a turn that waits for the result of a client tool, and calls `act` while it waits. */
const startWaitingTurn = async (at: ServiceProcess, act: (call: any) => unknown) => {
  const question = { stream: true, client_tools: ['get_order_status'] };
  const names: string[] = [];
  let last: any;
  try {
    for await (const { event, data } of readEvents(await send(at, at.secretKey, 'Where is my order 1042?', question))) {
      names.push(event);
      last = data;
      if (event === 'client_tool') await act(data);
    }
  } catch {
    // The process was killed.
  }
  return { names, last };
};

/** Sends the result of a client tool. */
const sendResult = (at: ServiceProcess, { conversation_id, call_id }: any) => {
  const body = { conversation_id, call_id, ok: true, result: { status: 'Sent' } };
  return post(`${at.baseUrl}/agents/${at.agentId}/chat/tool-results`, body, { key: at.secretKey });
};

/** Returns the seconds until another process replies in the conversation of a killed one. */
const secondsUntilFree = async ([one, other]: [ServiceProcess, ServiceProcess]): Promise<number> => {
  let killedAt = 0;
  let id = '';
  await startWaitingTurn(one, ({ conversation_id }) => {
    id = conversation_id;
    killedAt = performance.now();
    void one.end('SIGKILL');
  });
  const response = await send(other, other.secretKey, 'Where can I park?', { conversation_id: id });
  assert.equal(response.status, 200, await response.clone().text());
  return (performance.now() - killedAt) / 1000;
};

describe('a process that is killed during a turn', { skip: server ? false : noPostgresReason }, () => {
  it('leaves the conversation to another process within ten seconds', async (test) => {
    const { url } = await server!.database();
    const processes = await startTwo({ DATABASE_URL: url });
    const seconds = await secondsUntilFree(processes);
    test.diagnostic(`free after ${seconds.toFixed(1)} s`);
    assert.ok(seconds < 10, `${seconds} s`);
    await processes[1].end('SIGTERM');
  });

  const skip = hasPgbouncer ? false : noPgbouncerReason;
  it('does so behind PgBouncer in transaction mode too, where tool results still arrive', { skip }, async (test) => {
    const { url } = await server!.database();
    const pooler = await startPgbouncer(url);
    const processes = await startTwo({ DATABASE_URL: pooler.urlOf(url), DATABASE_DIRECT_URL: url });
    const [one, other] = processes;
    const began = performance.now();
    const { last } = await startWaitingTurn(one, (call) => sendResult(other, call));
    assert.match(last.message.content, /Sent/);
    assert.ok(performance.now() - began < 10_000, 'long before the 15 seconds of the call are over');
    const seconds = await secondsUntilFree(processes);
    test.diagnostic(`free after ${seconds.toFixed(1)} s`);
    assert.ok(seconds < 10, `${seconds} s`);
    await other.end('SIGTERM');
    await pooler.stop();
  });
});

describe('two processes of one database', { skip: server ? false : noPostgresReason }, () => {
  let processes: [ServiceProcess, ServiceProcess];
  let client: Client;
  before(async () => {
    const { url } = await server!.database();
    // Both start at once on an empty database, and one of them seeds it.
    processes = await startTwo({ DATABASE_URL: url });
    client = new Client({ connectionString: url });
    await client.connect();
  });
  after(async () => {
    await client.end();
    await Promise.all(processes.map((each) => each.end('SIGTERM')));
  });

  it('find the result of a client tool even when its signal was lost', async () => {
    const [one, other] = processes;
    const { last } = await startWaitingTurn(one, async (call) => {
      // Closes the listening connections, so that signals are lost until they are open again.
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen workspace_service'
          and datname = current_database()`,
      );
      await sendResult(other, call);
    });
    assert.match(last.message.content, /order 1042: \*\*Sent\*\*/);
  });

  it('run each background job once', async () => {
    for (let each = 0; each < 12; each++) {
      const { baseUrl, agentId, secretKey: key } = processes[each % 2]!;
      const body = { type: 'text', name: `shared ${each}`, text: `# Number ${each}\n\nBoth know number ${each}.` };
      assert.equal((await post(`${baseUrl}/agents/${agentId}/sources`, body, { key })).status, 202);
    }
    const unfinished = `select from sources where name like 'shared %' and status <> 'indexed'`;
    await eventually(async () => (await client.query(unfinished)).rowCount === 0, 30_000);
    const indexed = `select data ->> 'id' as id from events where type = 'source.synced' and data ->> 'name' like 'shared %'`;
    const { rows } = await client.query<{ id: string }>(indexed);
    assert.deepEqual([rows.length, new Set(rows.map(({ id }) => id)).size], [12, 12]);
  });
});

it('a process that gets SIGTERM during a turn ends the turn with an `error` event at its deadline, and exits', async () => {
  const service = await startService(['--data', join(folder, 'embedded'), '--drain-seconds', '1']);
  let ended: Promise<void> | undefined;
  const { names, last } = await startWaitingTurn(service, () => {
    ended = service.end('SIGTERM');
  });
  assert.equal(names.at(-1), 'error');
  assert.equal(last.error.code, 'service_unavailable');
  assert.ok(ended);
  await ended;
});
