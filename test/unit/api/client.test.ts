import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseRetryAfter } from '../../../src/api/client.ts';
import { decodeStreamEvent } from '../../../src/api/decode.ts';

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
      const event = decodeStreamEvent('client_tool', JSON.stringify({ call_id: 'c', name: 'n', timeout_ms: sent }));
      assert.equal(event?.type === 'client_tool' && event.call.timeout_ms, kept);
    });
  }
});
