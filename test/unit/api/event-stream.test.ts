import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { decodeStreamEvent, decodeStreamEvents } from '../../../src/api/decode.ts';
import { ApiError } from '../../../src/api/errors.ts';
import { readEventStream } from '../../../src/api/event-stream.ts';

const read = async (pieces: Uint8Array[]) => {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const events: unknown[] = [];
  for await (const arrived of readEventStream(body)) {
    for (const { name, data, id } of arrived) events.push([name, data, id]);
  }
  return events;
};

/** The parsing rules of the HTML standard ("Server-sent events"), applied to a whole stream at once. */
const parseByStandard = (whole: string) => {
  const events: unknown[] = [];
  const isComplete = /(?:\r\n?|\n)$/.test(whole);
  const lines = whole.split(/\r\n|\r|\n/);
  if (isComplete) lines.pop();
  let [name, data, id]: [string, string | undefined, string | undefined] = ['', undefined, undefined];
  for (const line of lines) {
    const [, field, value = ''] = /^([^:]*):? ?([^]*)$/.exec(line)!;
    if (line === '') {
      if (data !== undefined) events.push([name || 'message', data, id]);
      [name, data, id] = ['', undefined, undefined];
    } else if (field === 'data') data = data === undefined ? value : `${data}\n${value}`;
    else if (field === 'event') name = value;
    else if (field === 'id' && !value.includes('\0')) id = value;
  }
  return events;
};

/** Cuts the bytes at these positions. */
const cutAt = (bytes: Uint8Array, places: number[]) => {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...ends].map((start, index) => bytes.slice(start, ends[index] ?? bytes.length));
};

const text = fc.string({ unit: fc.constantFrom('a', 'é', 'ع', '日', '👋🏽', ' ', ':', '"', '\u2028') });
const event = fc.record({
  name: fc.constantFrom('delta', 'done', 'message', ''),
  lines: fc.array(text, { minLength: 1, maxLength: 3 }),
  comment: fc.boolean(),
});
const stream = fc
  .tuple(fc.array(event, { maxLength: 5 }), fc.constantFrom('\n', '\r', '\r\n'), fc.boolean())
  .map(([events, end, hasMark]) => {
    const lines = events.flatMap(({ name, lines: data, comment }) => [
      ...(comment ? [': keep-alive'] : []),
      ...(name ? [`event: ${name}`] : []),
      ...data.map((line) => `data: ${line}`),
      '',
    ]);
    const whole = (hasMark ? '\ufeff' : '') + lines.map((line) => line + end).join('');
    return { bytes: new TextEncoder().encode(whole), events };
  });

describe('The event stream reader', () => {
  it('returns the same events however the bytes are split', async () => {
    await fc.assert(
      fc.asyncProperty(stream, fc.array(fc.nat()), async ({ bytes, events }, places) => {
        const expected = events.map(({ name, lines }) => [name || 'message', lines.join('\n'), undefined]);
        assert.deepEqual(await read([bytes]), expected);
        assert.deepEqual(await read(cutAt(bytes, places)), expected);
        assert.deepEqual(await read(Array.from(bytes, (byte) => Uint8Array.of(byte))), expected);
      }),
    );
  });

  it('follows the parsing rules of the WHATWG standard for any line', async () => {
    const part = fc.constantFrom(
      'data',
      'event',
      'id',
      'retry',
      'x',
      ':',
      ': ',
      ' ',
      '\n',
      '\n\n',
      '\r',
      '\r\n',
      '\0',
      'é',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(part).map((parts) => parts.join(''))), async (pieces) => {
        const bytes = pieces.map((piece) => new TextEncoder().encode(piece));
        assert.deepEqual(await read(bytes), parseByStandard(`${pieces.join('')}\n`));
      }),
      { numRuns: 2000 },
    );
  });

  it('rejects an event that never ends, in bounded memory', async () => {
    const piece = new TextEncoder().encode('x'.repeat(65_536));
    await assert.rejects(
      read([new TextEncoder().encode('data: '), ...Array.from({ length: 160 }, () => piece)]),
      (error) => {
        assert.ok(error instanceof ApiError);
        return error.code === 'response_too_large';
      },
    );
  });

  it('returns the events before one that is too large', async () => {
    const body = new Blob(['data: before\n\ndata: ', 'x'.repeat(3_000_000)]).stream();
    const events: string[] = [];
    await assert.rejects(async () => {
      for await (const arrived of readEventStream(body)) events.push(...arrived.map(({ data }) => data));
    });
    assert.deepEqual(events, ['before']);
  });

  it('merges consecutive deltas of one chunk, and keeps the order of other events', () => {
    const event = (name: string, data: object) => ({ name, data: JSON.stringify(data), id: undefined });
    const delta = (text: string) => event('delta', { text });
    const arrived = [delta('a'), delta('b'), event('unknown', {}), delta('c'), event('sources', []), delta('d')];
    assert.deepEqual(decodeStreamEvents(arrived), [
      { type: 'delta', text: 'abc' },
      { type: 'sources', sources: [] },
      { type: 'delta', text: 'd' },
    ]);
  });

  it('never throws for any event data', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(
          'delta',
          'sources',
          'blocks',
          'outcome',
          'client_tool',
          'done',
          'error',
          '__proto__',
          'toString',
        ),
        fc.oneof(fc.json(), fc.string()),
        (name, data) => void decodeStreamEvent(name, data),
      ),
    );
    decodeStreamEvent('done', '{"__proto__":{"polluted":1},"conversation_id":"c"}');
    assert.equal(({} as { polluted?: number }).polluted, undefined);
  });
});
