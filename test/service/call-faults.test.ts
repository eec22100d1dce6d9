import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { eq } from 'drizzle-orm';
import { contacts } from '../../service/db/schema.ts';
import type { Listening } from '../../service/service.ts';
import { readEvents, startBefore, useTestService, type StreamEvent } from './support.ts';
import { valuesOf } from '../support/values-of.ts';

const tested = useTestService({ development: true });
let listening: Listening;
startBefore(async () => {
  listening = await tested.service.listen(0);
});
afterEach(() => call('DELETE', '/team/faults'));

const call = (method: string, path: string, body?: object) =>
  fetch(`${listening.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${tested.secretKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const list = () => call('GET', '/api/v2/agents');
const breakNext = async (...faults: object[]) => {
  const response = await call('POST', '/team/faults', { faults });
  assert.equal(response.status, 201, await response.clone().text());
};
const waiting = async () => (await (await call('GET', '/team/faults')).json()).data;
const ask = () =>
  call('POST', `/api/v2${tested.chatPath}`, {
    messages: [{ role: 'user', content: 'What are your opening hours?' }],
    stream: true,
  });
const isStored = async (externalId: string) =>
  (await tested.rows(contacts, eq(contacts.externalId, externalId))).length > 0;

/** Reads a stream until it ends or fails. */
const readAll = async (response: Response) => {
  const events: StreamEvent[] = [];
  try {
    for await (const event of readEvents(response)) if (event.event !== 'comment') events.push(event);
  } catch (error) {
    return { events, error };
  }
  return { events, error: undefined };
};

describe('POST /team/faults', () => {
  it('fails the next calls with an error of the service', async () => {
    await breakNext({ kind: 'fail', code: 'rate_limited', retry_after: 7, times: 2 });
    for (let each = 0; each < 2; each++) {
      const response = await list();
      assert.deepEqual([response.status, response.headers.get('retry-after')], [429, '7']);
      assert.equal((await response.json()).error.code, 'rate_limited');
    }
    assert.equal((await list()).status, 200);
    assert.deepEqual(await waiting(), []);
  });

  it('fails the next call with the page of a proxy', async () => {
    await breakNext({ kind: 'fail', status: 502 });
    const response = await list();
    assert.equal(response.status, 502);
    assert.match(response.headers.get('content-type')!, /text\/html/);
    assert.match(await response.text(), /502/);
  });

  it('stalls the response of a call that was processed', async () => {
    await breakNext({ kind: 'stall', seconds: 0.2, path: '/contacts' });
    const began = performance.now();
    assert.equal((await call('POST', '/api/v2/contacts', { external_id: 'stalled' })).status, 201);
    assert.ok(performance.now() - began >= 190);
  });

  it('cuts the connection after or before the call is processed', async () => {
    await breakNext({ kind: 'cut' }, { kind: 'cut', is_processed: false });
    await assert.rejects(call('POST', '/api/v2/contacts', { external_id: 'processed' }));
    await assert.rejects(call('POST', '/api/v2/contacts', { external_id: 'lost' }));
    assert.deepEqual([await isStored('processed'), await isStored('lost')], [true, false]);
    assert.equal((await list()).status, 200);
  });

  it('cuts a stream after a number of events', async () => {
    await breakNext({ kind: 'cut', after_events: 2 });
    const response = await ask();
    assert.equal(response.status, 200);
    const { events, error } = await readAll(response);
    assert.deepEqual(valuesOf(events, 'event'), ['delta', 'delta']);
    assert.ok(error);
  });

  it('stalls a stream after a number of events, and then sends the rest', async () => {
    await breakNext({ kind: 'stall', after_events: 1, seconds: 0.2 });
    const began = performance.now();
    const { events, error } = await readAll(await ask());
    assert.equal(error, undefined);
    assert.equal(events.at(-1)?.event, 'done');
    assert.ok(performance.now() - began >= 190);
  });

  it('keeps the fault of a stream for the next streamed call', async () => {
    await breakNext({ kind: 'cut', after_events: 0 });
    assert.equal((await list()).status, 200);
    assert.equal((await waiting()).length, 1);
    const { events } = await readAll(await ask());
    assert.deepEqual(events, []);
    assert.deepEqual(await waiting(), []);
  });

  it('selects calls by method and path, and never a call of the team', async () => {
    await breakNext({ kind: 'fail', code: 'internal_error', method: 'POST', path: '/leads' });
    assert.equal((await call('POST', '/api/v2/contacts', { external_id: 'other' })).status, 201);
    assert.equal((await call('GET', '/api/v2/leads')).status, 200);
    assert.equal((await call('GET', '/team/overview')).status, 200);
    assert.equal((await call('POST', '/api/v2/leads', {})).status, 500);
  });

  it('removes all faults', async () => {
    await breakNext({ kind: 'fail', status: 500, times: 1000 });
    assert.equal((await call('DELETE', '/team/faults')).status, 204);
    assert.equal((await list()).status, 200);
  });

  it('rejects faults that are not valid', async () => {
    for (const fault of [
      { kind: 'fail' },
      { kind: 'fail', status: 200 },
      { kind: 'fail', code: 'no_such_code' },
      { kind: 'stall' },
      { kind: 'cut', times: 0 },
      { kind: 'burn' },
    ]) {
      assert.equal((await call('POST', '/team/faults', { faults: [fault] })).status, 422, JSON.stringify(fault));
    }
    assert.equal((await call('POST', '/team/faults', { faults: [] })).status, 422);
    assert.deepEqual(await waiting(), []);
  });
});
