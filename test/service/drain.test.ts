import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { eq } from 'drizzle-orm';
import { conversations, jobs, messages } from '../../service/db/schema.ts';
import { ModelServer } from '../support/servers/model-server.ts';
import { valuesOf } from '../support/values-of.ts';
import { listen } from '../support/servers/listen.ts';
import type { ServiceOptions } from '../../service/service.ts';
import { createTestService, eventually, post, readEvents, type StreamEvent, type TestService } from './support.ts';

const question = 'What are your opening hours?';

/** A service behind a port whose streamed replies take as long as the delay of each chunk. */
const startDraining = async (chunkDelay: number, options: ServiceOptions = {}) => {
  const tested = await createTestService({ chunkDelay, ...options });
  const { baseUrl, url } = await tested.service.listen(0);
  const key = tested.secretKey;
  const send = (path: string, body: object, headers = {}) => post(`${url}${path}`, body, { key, headers });
  const ask = (more: object = {}, headers = {}) =>
    send(`/api/v2${tested.chatPath}`, { messages: [{ role: 'user', content: question }], ...more }, headers);
  return { tested, url, baseUrl, send, ask };
};

/** Reads a stream, and calls `onText` with its first piece of text. */
const readStream = async (response: Response, onText: () => void): Promise<StreamEvent[]> => {
  const events: StreamEvent[] = [];
  for await (const event of readEvents(response)) {
    events.push(event);
    if (event.event === 'delta' && events.filter(({ event: name }) => name === 'delta').length === 1) onText();
  }
  return events;
};

const closeAll = async ({ tested }: { tested: TestService }) => tested.service.close();

describe('a service that drains', () => {
  it('interrupts the crawl of a website that does not respond, and leaves the job to the next process', async () => {
    let isAsked = () => {};
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    const slow = await listen(() => isAsked());
    const tested = await createTestService({ allowLoopback: true });
    try {
      const source = { type: 'website', url: slow.url };
      assert.equal((await tested.callTeam('POST', `/agents/${tested.agentId}/sources`, source)).status, 202);
      const work = tested.service.work();
      await asked;
      await tested.service.drain(60_000);
      await work;
      const [job] = await tested.rows(jobs, eq(jobs.kind, 'index_source'));
      assert.deepEqual([job?.holder, job?.lockedUntil, job?.attempts], [null, null, 0]);
      assert.ok(job!.runAt.getTime() <= tested.clock.now);
      assert.ok(!tested.log.some(({ event }) => event === 'job_failure'));
    } finally {
      await tested.service.close();
      await slow.close();
    }
  });

  it('is not ready, and rejects new turns with 503 and Retry-After, while other calls work', async () => {
    const server = await startDraining(0);
    const { tested, url, send, ask } = server;
    assert.deepEqual(await (await fetch(`${url}/readyz`)).json(), { status: 'ready' });
    await tested.service.drain(10_000);

    const ready = await fetch(`${url}/readyz`);
    assert.deepEqual([ready.status, await ready.json()], [503, { status: 'draining' }]);
    assert.equal((await fetch(`${url}/healthz`)).status, 200, 'the process still runs');

    for (const stream of [true, false]) {
      const rejected = await ask({ stream }, { 'accept-language': 'ar' });
      const { error } = await rejected.json();
      assert.deepEqual([rejected.status, error.code], [503, 'service_unavailable']);
      assert.match(error.message, /الخدمة/);
      assert.match(error.request_id, /^req_/);
      assert.ok(Number(rejected.headers.get('retry-after')) >= 1);
      assert.equal(rejected.headers.get('connection'), 'close');
    }
    const simulated = { channel: 'email', text: question };
    assert.equal((await send(`/team/agents/${tested.agentId}/conversations`, simulated)).status, 503);
    const listed = await fetch(`${url}/api/v2/agents`, { headers: { authorization: `Bearer ${tested.secretKey}` } });
    assert.deepEqual([listed.status, listed.headers.get('connection')], [200, 'close']);
    assert.deepEqual(await tested.rows(messages), [], 'a rejected turn stores nothing');
    await closeAll(server);
  });

  it('lets the running turns finish before the deadline', async () => {
    const server = await startDraining(5);
    let drained: Promise<void> | undefined;
    let isDrained = false;
    const events = await readStream(await server.ask({ stream: true }), () => {
      drained = server.tested.service.drain(60_000).then(() => void (isDrained = true));
    });
    assert.equal(events.at(-1)?.event, 'done');
    assert.ok(drained);
    await drained;
    assert.ok(isDrained);
    await closeAll(server);
  });

  it('ends a stream with an `error` event at the deadline, and stores the text so far', async () => {
    const server = await startDraining(60_000);
    const { tested, ask } = server;
    let drained: Promise<void> | undefined;
    const events = await readStream(await ask({ stream: true }), () => {
      drained = tested.service.drain(20);
    });
    const last = events.at(-1)!;
    assert.deepEqual([last.event, last.data.error.code], ['error', 'service_unavailable']);
    await drained;
    const stored = await tested.rows(messages, eq(messages.role, 'assistant'));
    const text = events.flatMap(({ event, data }) => (event === 'delta' ? [data.text] : [])).join('');
    assert.deepEqual([stored.length, stored[0]?.outcome, stored[0]?.content], [1, null, text]);
    await closeAll(server);
  });

  it('stores no part of a plain reply at the deadline, because the visitor has not seen it', async () => {
    const model = new ModelServer();
    await model.listen();
    const tested = await createTestService({ model: { url: model.url, name: 'small' } });
    const isBegun = new Promise<void>((resolve) => {
      model.respondWith(async (write) => {
        write.text('We open at ');
        resolve();
        await write.closed;
      });
    });
    const response = tested.chat(question, { headers: { 'idempotency-key': 'plain' } });
    await isBegun;
    await tested.service.drain(100);
    assert.equal((await response).status, 409);
    assert.deepEqual(await tested.rows(messages, eq(messages.role, 'assistant')), []);
    assert.deepEqual(valuesOf(await tested.rows(conversations), 'countedAt'), [null]);
    await tested.service.close();
    await model.close();
  });

  it('sends the response of a call in flight before it closes', async () => {
    const server = await startDraining(0, { development: true });
    const { tested, url, send } = server;
    const headers = { authorization: `Bearer ${tested.secretKey}` };
    await send('/team/faults', { faults: [{ kind: 'stall', seconds: 60 }] });
    const response = fetch(`${url}/api/v2/agents`, { headers });
    await eventually(async () => {
      const { data } = await (await fetch(`${url}/team/faults`, { headers })).json();
      return data.length === 0;
    });
    const [{ status }] = await Promise.all([response, closeAll(server)]);
    assert.equal(status, 200);
  });

  it('closes idle connections', async () => {
    const server = await startDraining(0);
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    let received = '';
    socket.on('data', (piece) => (received += String(piece)));
    await eventually(async () => received.includes('{"status":"ok"}'));
    const ended = new Promise<void>((resolve) => socket.once('end', () => resolve()));
    await closeAll(server);
    await ended;
  });
});
