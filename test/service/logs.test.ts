import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { sql } from 'drizzle-orm';
import { errorText } from '../../service/core/log.ts';
import { createMetrics } from '../../service/telemetry/metrics.ts';
import { createLog, type LogOptions } from '../../service/log-output.ts';
import { useTestService } from './support.ts';

const metrics = createMetrics();
const tested = useTestService({ allowLoopback: true, observer: metrics.observer });
const planted = ['Planted-Name', 'planted@example.com', '968 9555 1234', 'planted-external', 'Planted text'];
const [name, email, phone, externalId, text] = planted as [string, string, string, string, string];
const key = tested.secretKey;

/** The tables that hold personal data. */
const tables = ['contacts', 'messages', 'conversations', 'events', 'tickets', 'sources', 'chunks'];

/** Makes every insert and update of a table fail with an error that quotes the row. */
const breakTable = async (table: string): Promise<void> => {
  await tested.service.db.execute(
    sql.raw(`create function break_${table}() returns trigger language plpgsql as
      $$ begin raise exception 'broken row %', new using detail = new::text, hint = new::text; end $$`),
  );
  await tested.service.db.execute(
    sql.raw(`create trigger break before insert or update on ${table} for each row execute function break_${table}()`),
  );
};
const repairTable = (table: string) => tested.service.db.execute(sql.raw(`drop function break_${table} cascade`));

/** Calls that store personal data, or that are rejected because of it. */
const makeCalls = async (): Promise<number[]> => {
  tested.nextMinute();
  const contact = { external_id: externalId, name, email, phone, attributes: { note: text } };
  const statuses = [
    await tested.api('POST', '/contacts', contact),
    await tested.api('POST', '/contacts', { ...contact, email: `${email}\0`, locale: name }),
    await tested.api('POST', '/contacts', `{"email": "${email}", "name": ${name}`),
    await tested.api('GET', `/contacts?email=${encodeURIComponent(email)}&cursor=${encodeURIComponent(email)}`),
    await tested.api('GET', `/contacts/${encodeURIComponent(email)}`),
    await tested.api('GET', `/nothing/${encodeURIComponent(email)}`),
    await tested.api('GET', `/%E0%A4/${encodeURIComponent(email)}`),
    await tested.chat(`My name is ${name}, call me at ${phone} or ${email}`, { key }),
    await tested.chat(`I want to talk to a human. ${text}`, { key }),
    await tested.chat('Hello', { key, contact: claim }),
    await tested.api('POST', `/agents/${tested.agentId}/sources`, { type: 'text', name, text }),
    await tested.api('POST', `/agents/${tested.agentId}/sources/questions`, {
      name,
      items: [{ question: text, answer: email }],
    }),
  ].map(({ status }) => status);
  await tested.streamed(`${text} ${email}`);
  await tested.service.work();
  return statuses;
};
const claim = {
  user_id: externalId,
  user_hash: createHmac('sha256', 'secret').update(externalId).digest('hex'),
  name,
  email,
};

describe('the log and the metrics', () => {
  it('have no personal data and no key while everything works', async () => {
    const statuses = await makeCalls();
    assert.ok(statuses.includes(201) && statuses.includes(422) && statuses.includes(404), String(statuses));
    assert.ok(!JSON.stringify(tested.log).includes(key));
    await assertNothingPlanted();
  });

  for (const table of tables) {
    it(`have no personal data when the database rejects a row of ${table}, but the code and the query`, async () => {
      tested.log.length = 0;
      await breakTable(table);
      try {
        await makeCalls();
      } finally {
        await repairTable(table);
      }
      await assertNothingPlanted();
      const errors = tested.log.filter(({ level }) => level !== 'info').map(({ error }) => String(error));
      const isNamed = errors.some((error) => error.includes(table) && error.includes('code=P0001'));
      assert.ok(isNamed, `${errors.length} errors: ${errors[0]}`);
    });
  }

  it('have the message of an error of the program, and no message of an error that quotes data', () => {
    assert.match(errorText(new TypeError('x is not a function')), /^TypeError x is not a function\n\s+at /);
    const parse = () => JSON.parse(`{"email": ${email}}`) as unknown;
    assert.throws(
      parse,
      (error) => !errorText(error).includes('planted') && errorText(error).startsWith('SyntaxError'),
    );
    assert.equal(errorText(email), 'string');
  });

  it('end where the causes of an error lead back to it', () => {
    const [first, second] = [new Error('first'), new Error('second')];
    first.cause = second;
    second.cause = first;
    assert.deepEqual(errorText(first).match(/Error (first|second)/g), ['Error first', 'Error second']);
  });
});

/** Searches the log and the labels of the metrics. */
const assertNothingPlanted = async (): Promise<void> => {
  assert.ok(tested.log.length > 10);
  const log = JSON.stringify(tested.log) + (await metrics.read()).text;
  for (const each of [...planted, email.replace('@', '%40'), phone.replaceAll(' ', '')]) {
    const at = log.indexOf(each);
    assert.equal(at, -1, log.slice(Math.max(0, at - 300), at + 100));
  }
};

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
