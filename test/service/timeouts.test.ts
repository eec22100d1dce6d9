import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import * as timeouts from '../../service/core/timeouts.ts';
import { useTestService } from './support.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Returns milliseconds. */
const duration = (text: string | undefined): number => {
  const [, number, unit] = /^(\d+)(s|m)$/.exec(text ?? '') ?? assert.fail(`“${text}” is no duration`);
  return Number(number) * { s: 1000, m: 60_000 }[unit as 's' | 'm'];
};

const proxy = (option: string): number =>
  duration(new RegExp(`^\\s*${option} (\\S+)$`, 'm').exec(read('service/Caddyfile'))?.[1]);
const container = (option: string): number =>
  duration(new RegExp(`--${option}=(\\S+)`).exec(read('service/Dockerfile'))?.[1]);
const tested = useTestService();

/** Each pair in its order: the first part has to give up before the second. */
const order: [shorter: string, number, longer: string, number][] = [
  ['the proxy keeps an idle connection', proxy('keepalive'), 'the service does', timeouts.keepAliveMs],
  ['the service keeps an idle connection', timeouts.keepAliveMs, 'headers may take', timeouts.headersTimeoutMs],
  ['headers may take', timeouts.headersTimeoutMs, 'a whole request may take', timeouts.requestTimeoutMs],
  ['a probe waits for the database', timeouts.probeTimeoutMs, 'the proxy waits for the probe', proxy('health_timeout')],
  ['a probe waits for the database', timeouts.probeTimeoutMs, 'the container waits for it', container('timeout')],
  ['a call waits for a connection', timeouts.poolTimeoutMs, 'its statement may run', timeouts.statementTimeoutMs],
  ['a statement may run', timeouts.statementTimeoutMs, 'a whole request may take', timeouts.requestTimeoutMs],
];

describe('the timeouts', () => {
  for (const [shorter, first, longer, second] of order) {
    it(`end in an order: ${shorter} for a shorter time than ${longer}`, () =>
      assert.ok(first < second, `${first} < ${second}`));
  }

  it('are those of the server: its responses announce an idle time that is longer than that of the proxy', async () => {
    const { url } = await tested.service.listen();
    const { headers } = await fetch(`${url}/healthz`);
    const announced = Number(/timeout=(\d+)/.exec(headers.get('keep-alive') ?? '')?.[1]) * 1000;
    assert.ok(announced > proxy('keepalive'), `${announced}`);
  });

  it('stand in the documentation for operators', () => {
    const rows = read('docs/operations.md').match(/^\| .* \d+ s .*$/gm) ?? [];
    const documented = rows.map((row) => Number(/\| *(\d+) s \|/.exec(row)?.[1]) * 1000);
    for (const [name, milliseconds] of Object.entries(timeouts)) {
      assert.ok(documented.includes(milliseconds), `${name}: ${milliseconds}`);
    }
    assert.ok(documented.includes(proxy('keepalive')));
  });
});
