import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLog, type LogOptions } from '../../service/log-output.ts';

const request = {
  level: 'info',
  event: 'request',
  request_id: 'req_1',
  method: 'GET',
  route: '/api/v2/me',
  status: 200,
  milliseconds: 7,
} as const;

const logged = (options: Partial<LogOptions>): string[] => {
  const lines: string[] = [];
  const log = createLog({
    format: 'auto',
    level: 'info',
    isTerminal: false,
    write: (line) => lines.push(line),
    ...options,
  });
  log(request);
  log({ level: 'warn', event: 'loopback_allowed' });
  log({ level: 'error', event: 'failure', error: 'Error broken', again: undefined });
  return lines;
};

describe('the log', () => {
  it('has one line of JSON for each entry when no person reads it', () => {
    const [first, , last, ...more] = logged({}).map((line) => JSON.parse(line));
    assert.deepEqual(more, []);
    const { time, ...entry } = first;
    assert.deepEqual(entry, request);
    assert.match(time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    assert.deepEqual([last.level, last.event, last.error], ['error', 'failure', 'Error broken']);
    assert.ok(logged({}).every((line) => line.endsWith('\n')));
  });

  it('has short lines at a terminal', () => {
    const lines = logged({ isTerminal: true });
    assert.match(lines[0]!, /^\d\d:\d\d:\d\d GET \/api\/v2\/me 200 7 ms\n$/);
    assert.match(lines[1]!, /^\d\d:\d\d:\d\d WARN loopback_allowed\n$/);
    assert.match(lines[2]!, /^\d\d:\d\d:\d\d ERROR failure error=Error broken\n$/);
  });

  it('has the format that was chosen, whether or not it is a terminal', () => {
    assert.match(logged({ format: 'json', isTerminal: true })[0]!, /^\{"level":"info"/);
    assert.match(logged({ format: 'pretty' })[0]!, /GET \/api\/v2\/me/);
  });

  it('leaves out the entries below its level', () => {
    assert.deepEqual(
      logged({ level: 'warn' }).map((line) => JSON.parse(line).event),
      ['loopback_allowed', 'failure'],
    );
    assert.equal(logged({ level: 'error' }).length, 1);
  });
});
