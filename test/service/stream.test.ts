import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { conversations } from '../../service/db/schema.ts';
import { createTestService, post, readEvents, useTestService } from './support.ts';
import { limit } from '../support/time-limits.ts';

const hours = 'What are your opening hours?';
const tested = useTestService({ chunkDelay: 5, keepAliveMs: 5 });

const streamed = async (body: object = {}, key?: string): Promise<Response> => {
  return tested.service.fetch(
    tested.request('POST', tested.chatPath, {
      key: key ?? (await tested.makeKey()),
      body: { messages: [{ role: 'user', content: hours }], stream: true, ...body },
    }),
  );
};

describe('the chat API, while it streams', () => {
  it('sends the text in chunks, then the sources, the outcome and the whole response', async () => {
    const names = (await tested.streamed(hours)).map(({ event }) => event).filter((name) => name !== 'comment');
    const pieces = names.filter((name) => name === 'delta').length;
    assert.ok(pieces >= 5, `${pieces} pieces`);
    assert.deepEqual(names.slice(pieces), ['sources', 'outcome', 'done']);
  });

  it('sends an event stream that proxies neither buffer nor cache', async () => {
    const response = await streamed();
    assert.equal(response.headers.get('x-accel-buffering'), 'no');
    assert.equal(response.headers.get('cache-control'), 'no-store');
    await response.text();
  });
});

it('a service that closes ends open streams at once without `done`', async () => {
  const closing = await createTestService({ chunkDelay: 60_000 });
  const listening = await closing.service.listen(0);
  const body = { messages: [{ role: 'user', content: hours }], stream: true };
  const response = await post(`${listening.baseUrl}${closing.chatPath}`, body, { key: closing.secretKey });
  const names: string[] = [];
  const began = performance.now();
  try {
    for await (const { event } of readEvents(response)) {
      names.push(event);
      if (event === 'delta') void closing.service.close();
    }
  } catch {
    // The connection may be closed before the stream ends.
  }
  assert.ok(performance.now() - began < limit(3000));
  assert.ok(names.includes('delta'));
  assert.equal(names.includes('done'), false);
});

it('the service sends an `error` event without the cause for an error during a stream', async () => {
  const key = await tested.makeKey();
  const events: string[] = [];
  let failure: any;
  for await (const { event, data } of tested.stream(hours, { key })) {
    events.push(event);
    // Deletes the conversation during the reply, so that storing the reply fails.
    if (event === 'delta' && events.filter((name) => name === 'delta').length === 1) {
      await tested.service.db.delete(conversations);
    }
    if (event === 'error') failure = data;
  }
  assert.equal(events.includes('done'), false);
  assert.equal(failure.error.code, 'internal_error');
  assert.match(failure.error.request_id, /^req_/);
  assert.doesNotMatch(JSON.stringify(failure), /insert|foreign|conversation/i);
});
