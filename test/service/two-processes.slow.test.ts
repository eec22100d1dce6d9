import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { count, eq, sql } from 'drizzle-orm';
import { contacts, conversations, events, sources } from '../../service/db/schema.ts';
import { scopes } from '../../service/core/scopes.ts';
import { findPostgres, noPostgresReason } from '../support/servers/postgres.ts';
import { startService, type ServiceProcess } from '../support/servers/service-process.ts';
import { createTestService, post, readEvents, useFolders, type TestService } from './support.ts';
import { valuesOf } from '../support/values-of.ts';

const server = await findPostgres();
const dataDir = useFolders()();

describe('two processes on one PostgreSQL', { skip: server ? false : noPostgresReason }, () => {
  /** Reads the database and creates keys. It receives no requests. */
  let tested: TestService;
  let one: ServiceProcess;
  let other: ServiceProcess;

  before(async () => {
    const { url } = await server!.database();
    const environment = { DATABASE_URL: url, WORKSPACE_ENCRYPTION_KEY: 'the same for both' };
    // Both start at once on an empty database, and one of them seeds it.
    [one, other] = await Promise.all([
      startService(['--data', join(dataDir, 'one')], environment),
      startService(['--data', join(dataDir, 'other')], environment),
    ]);
    const encryptionKey = environment.WORKSPACE_ENCRYPTION_KEY;
    tested = await createTestService({ databaseUrl: url, encryptionKey, now: Date.now });
  });
  after(async () => {
    await Promise.all([one.end('SIGTERM'), other.end('SIGTERM'), tested.service.close()]);
    await server!.stop();
  });

  const send = (at: ServiceProcess, path: string, key: string, body: object, headers = {}) =>
    post(`${at.baseUrl}${path}`, body, { key, headers });
  const ask = (content: string, more: object = {}) => ({ messages: [{ role: 'user', content }], ...more });

  it('finds a tool result even when its signal was lost', async () => {
    const key = await tested.makeKey();
    const question = ask('Where is my order 1042?', { stream: true, client_tools: ['get_order_status'] });
    let done: any;
    for await (const { event, data } of readEvents(await send(one, tested.chatPath, key, question))) {
      if (event === 'done') done = data;
      if (event !== 'client_tool') continue;
      // Closes the listening connection, so that signals are lost until it is open again.
      await tested.service.db.execute(
        sql`select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen workspace_service'
            and datname = current_database()`,
      );
      const result = {
        conversation_id: data.conversation_id,
        call_id: data.call_id,
        ok: true,
        result: { status: 'Sent' },
      };
      assert.equal((await send(other, `${tested.chatPath}/tool-results`, key, result)).status, 200);
    }
    assert.match(done.message.content, /order 1042: \*\*Sent\*\*/);
  });

  it('runs the turns of a conversation one after the other across processes', async () => {
    const key = await tested.makeKey();
    const first: any = await (await send(one, tested.chatPath, key, ask('Hello'))).json();
    const { conversation_id } = first;
    const responses = await Promise.all(
      [one, other, one, other].map((at, each) =>
        send(at, tested.chatPath, key, ask(`What are your opening hours? ${each}`, { conversation_id })),
      ),
    );
    assert.deepEqual(valuesOf(responses, 'status'), [200, 200, 200, 200]);
    const said = await tested.service.db.query.messages.findMany({
      where: (table) => eq(table.conversationId, conversation_id),
      orderBy: (table) => table.position,
    });
    assert.deepEqual(valuesOf(said, 'role'), Array.from({ length: 5 }, () => ['user', 'assistant']).flat());
  });

  it('counts simultaneous calls across processes', async () => {
    const key = await tested.makeKey({ scopes: ['agents:read'] });
    const responses = await Promise.all(
      Array.from({ length: 80 }, (_, call) =>
        fetch(`${(call % 2 === 0 ? one : other).baseUrl}/agents`, { headers: { authorization: `Bearer ${key}` } }),
      ),
    );
    assert.equal(responses.filter(({ status }) => status === 200).length, 60);
  });

  it('create one resource when the same call with an Idempotency-Key reaches both at the same time', async () => {
    const key = await tested.makeKey({ scopes: [...scopes] });
    const same = { 'idempotency-key': 'once-please' };
    const { db } = tested.service;
    const count1 = async (table: typeof contacts | typeof conversations | typeof sources) =>
      (await db.select({ found: count() }).from(table))[0]!.found;
    const race = async (path: string, body: object) => {
      const responses = await Promise.all(
        Array.from({ length: 6 }, (_, call) => send(call % 2 === 0 ? one : other, path, key, body, same)),
      );
      for (const { status } of responses) assert.ok([200, 201, 202, 409].includes(status), String(status));
      const taken = await Promise.all(
        responses.filter(({ status }) => status < 300).map((response) => response.json()),
      );
      assert.ok(taken.length >= 1);
      const ids = taken.map((body: any) => body.id ?? body.conversation_id);
      assert.equal(new Set(ids).size, 1);
    };
    for (const [table, path, body] of [
      [conversations, tested.chatPath, ask('Hello')],
      [contacts, '/contacts', { external_id: 'raced' }],
      [sources, `/agents/${tested.agentId}/sources`, { type: 'text', name: 'raced', text: '# Raced\n\nOnce.' }],
    ] as const) {
      const before = await count1(table);
      await race(path, body);
      assert.equal(await count1(table), before + 1, path);
    }
  });

  it('runs each background job once across processes', async () => {
    const key = await tested.makeKey({ scopes: [...scopes] });
    const names = Array.from({ length: 12 }, (_, each) => `shared ${each}`);
    for (const [each, name] of names.entries()) {
      const body = { type: 'text', name, text: `# ${name}\n\nNumber ${each} is known to both.` };
      const response = await send(each % 2 === 0 ? one : other, `/agents/${tested.agentId}/sources`, key, body);
      assert.equal(response.status, 202);
    }
    const indexed = async () => (await tested.rows(sources)).filter(({ name }) => names.includes(name));
    for (let attempt = 0; attempt < 600; attempt++) {
      if ((await indexed()).every(({ status }) => status === 'indexed')) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const all = await indexed();
    assert.deepEqual(new Set(all.map(({ status }) => status)), new Set(['indexed']));
    const emitted = await tested.rows(events, eq(events.type, 'source.synced'));
    const ids = emitted.map(({ data }) => data['id']).filter((id) => all.some((source) => source.id === id));
    assert.equal(ids.length, names.length);
    assert.equal(new Set(ids).size, names.length);
  });
});
