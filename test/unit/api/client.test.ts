import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiClient } from '../../../src/api/client.ts';
import { parseRetryAfter } from '../../../src/api/retry-delay.ts';
import { Watchdog } from '../../../src/api/watchdog.ts';
import { decodeToolCall } from '../../../src/chat/tools/decode-tool-call.ts';
import { FakeClock } from '../../support/fakes/fake-clock.ts';

const clientOf = (fetch: typeof globalThis.fetch): ApiClient =>
  new ApiClient({
    baseUrl: 'https://api.example/api/v2',
    publishableKey: 'svc_pk_x',
    agentId: 'agt_1',
    clock: new FakeClock(),
    locale: () => 'en',
    fetch,
  });

describe('The Retry-After header', () => {
  const now = Date.parse('2026-10-01T09:00:00Z');
  for (const [value, seconds] of [
    ['12', 12],
    [' 7 ', 7],
    ['Thu, 01 Oct 2026 09:00:20 GMT', 20],
    ['Thu, 01 Oct 2026 08:00:00 GMT', 0],
    ['-7', null],
    ['1.5', null],
    ['soon', null],
    ['', null],
    [null, null],
  ] as const) {
    it(`${value} is parsed as ${seconds} seconds`, () => assert.equal(parseRetryAfter(value, now), seconds));
  }
});

describe('The timeout of a client tool call', () => {
  for (const [sent, kept] of [
    [5_000, 5_000],
    [0, 15_000],
    [-1, 15_000],
    [1e15, 600_000],
    [undefined, 15_000],
  ] as const) {
    it(`is ${kept} milliseconds when the service sends ${sent}`, () => {
      assert.equal(decodeToolCall({ call_id: 'c', name: 'n', timeout_ms: sent })?.timeout_ms, kept);
    });
  }
});

describe('The watchdog of a call', () => {
  const timeouts = { headers: 30_000, idle: 60_000, total: 600_000 };

  it('aborts when the headers do not come in time', async () => {
    const clock = new FakeClock();
    const { signal } = new Watchdog(clock, timeouts);
    await clock.advance(29_999);
    assert.equal(signal.aborted, false);
    await clock.advance(1);
    assert.equal(signal.aborted, true);
  });

  it('aborts exactly when nothing has arrived for the idle timeout', async () => {
    const clock = new FakeClock();
    const watchdog = new Watchdog(clock, timeouts);
    await clock.advance(20_000);
    watchdog.reset();
    await clock.advance(59_999);
    assert.equal(watchdog.signal.aborted, false);
    await clock.advance(1);
    assert.equal(watchdog.signal.aborted, true);
  });

  it('aborts at the total timeout though data arrives', async () => {
    const clock = new FakeClock();
    const watchdog = new Watchdog(clock, timeouts);
    for (let second = 0; second < 599; second++) {
      await clock.advance(1_000);
      watchdog.reset();
    }
    assert.equal(watchdog.signal.aborted, false);
    await clock.advance(1_000);
    assert.equal(watchdog.signal.aborted, true);
  });

  it('waits for client tools, and then for the idle timeout again', async () => {
    const clock = new FakeClock();
    const watchdog = new Watchdog(clock, timeouts);
    watchdog.reset();
    const resumeFirst = watchdog.suspend();
    const resumeSecond = watchdog.suspend();
    await clock.advance(100_000);
    resumeFirst();
    await clock.advance(100_000);
    assert.equal(watchdog.signal.aborted, false);
    resumeSecond();
    await clock.advance(59_999);
    assert.equal(watchdog.signal.aborted, false);
    await clock.advance(1);
    assert.equal(watchdog.signal.aborted, true);
  });

  it('has no timer after its end, and only one for any number of chunks', async () => {
    const clock = new FakeClock();
    const timers: number[] = [];
    const { after } = clock;
    clock.after = (delay, callback) => {
      timers.push(delay);
      return after.call(clock, delay, callback);
    };
    const watchdog = new Watchdog(clock, timeouts);
    const resume = watchdog.suspend();
    for (let chunk = 0; chunk < 1_000; chunk++) watchdog.reset();
    assert.deepEqual(timers, [30_000]);
    watchdog.stop();
    resume();
    assert.equal(clock.pending, 0);
    await clock.advance(1_000_000);
    assert.equal(watchdog.signal.aborted, false);
  });
});

describe('A response that is too large', () => {
  for (const [name, type, status] of [
    ['a reply', 'application/json', 200],
    ['an error', 'application/json', 500],
    ['a stream', 'text/event-stream', 200],
  ] as const)
    it(`of ${name} is canceled with the code response_too_large`, async () => {
      let isCanceled = false;
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(new Uint8Array(1_000_000).fill(0x61)),
        cancel() {
          isCanceled = true;
        },
      });
      const client = clientOf(async () => new Response(body, { status, headers: { 'content-type': type } }));
      const { signal } = new AbortController();
      const read = async () => {
        if (type === 'application/json') return client.sendPlain('{}', 'key', signal);
        for await (const event of client.stream(
          { messages: [], stream: true },
          {
            signal,
            onAccepted: () => {},
          },
        ))
          void event;
        return null;
      };
      await assert.rejects(read, { code: 'response_too_large' });
      assert.ok(isCanceled);
    });
});

it('The type of a response is read from a header that two servers have added', async () => {
  const done = { conversation_id: 'c', message: null, refused: false, sources: [], degraded: false };
  const headers = { 'content-type': 'text/event-stream; charset=utf-8, text/event-stream' };
  const client = clientOf(async () => new Response(`event: done\ndata: ${JSON.stringify(done)}\n\n`, { headers }));
  const types: string[] = [];
  const options = { signal: new AbortController().signal, onAccepted: () => {} };
  for await (const { type } of client.stream({ messages: [], stream: true }, options)) types.push(type);
  assert.deepEqual(types, ['done']);
});
