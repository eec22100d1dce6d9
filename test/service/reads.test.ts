/** Reading lists and single resources: pages, cursors and ETags. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { agentId } from '../../service/seed/business.ts';
import { orderText, submitOrder } from './scenarios.ts';
import { useTestService } from './support.ts';

const tested = useTestService();
const key = tested.secretKey;
const agentPath = `/agents/${agentId}`;

let made = 0;
const chat = async () => (await tested.chat('I want to talk to a human')).body.conversation_id;
const order = () => submitOrder(tested, orderText({ Phone: `9222${1000 + made++}` }));
const create = (path: string, body: object) => () => tested.api('POST', path, body);

/** Each list with pages, and how it grows. */
const lists: [path: string, grow?: () => Promise<unknown>][] = [
  [`${agentPath}/conversations`, chat],
  ['/tickets', chat],
  ['/leads', order],
  [`${agentPath}/submissions`, order],
  [`${agentPath}/actions/act_custom_order/calls`, order],
  ['/contacts', () => tested.api('POST', '/contacts', { external_id: `grown-${made++}` })],
  ['/webhooks', create('/webhooks', { url: 'https://93.184.216.34/hook', events: ['lead.created'] })],
  [`${agentPath}/sources`, create(`${agentPath}/sources`, { type: 'text', name: 'Grown', text: 'Some text.' })],
  ['/conversations/CONVERSATION/messages'],
  ['/agents'],
];

describe('a list that grows during paging', () => {
  for (const [path, grow] of lists) {
    if (!grow) continue;
    it(`neither skips nor repeats items of ${path} while it grows`, async () => {
      // Some rows have the same millisecond.
      for (let at = 0; at < 5; at++) {
        await grow();
        if (at % 2) tested.clock.now += 1000;
      }
      tested.nextMinute();
      const before = (await tested.api('GET', `${path}?limit=100`)).body.data.map(({ id }: any) => id);
      const read: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const { status, body }: any = await tested.api('GET', `${path}?limit=2${cursor && `&cursor=${cursor}`}`);
        assert.equal(status, 200);
        read.push(...body.data.map(({ id }: any) => id));
        cursor = body.next_cursor;
        if (read.length === 2) {
          tested.clock.now += 1000;
          await grow();
        }
        if (read.length % 30 === 0) tested.nextMinute();
      }
      assert.deepEqual(read, before);
    });
  }
});

describe('a cursor that was changed', () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const id = 'cnv_1';
  const cursors = [
    ...[
      '0000-01-01T00:00:00.000Z',
      '-000001-01-01T00:00:00.000Z',
      '-271821-04-20T00:00:00.000Z',
      '+275760-09-13T00:00:00.000Z',
      '0999-01-01T00:00:00.000Z',
      '2026-02-31T00:00:00.000Z',
      '2026-13-01T00:00:00.000Z',
      '2026-10-05',
      'infinity',
      'now',
      '',
    ].map((time) => encode([time, id])),
    ...['', '\0', '\ud800', 'x'.repeat(101), "' or 1=1", 1, null, {}].map((other) =>
      encode(['2026-10-05T06:00:00.000Z', other]),
    ),
    ...[-1, 1.5, 9_007_199_254_740_992, '1', null].map((position) => encode([position])),
    ...[[], {}, null, 1, [[]], ['2026-10-05T06:00:00.000Z', id, id]].map(encode),
    `${encode(['2026-10-05T06:00:00.000Z', id])}=`,
    `${encode(['2026-10-05T06:00:00.000Z', id])}!`,
  ];
  for (const [list] of lists) {
    it(`is rejected by ${list}`, async () => {
      const path = list.replace('CONVERSATION', await chat());
      for (const cursor of cursors) {
        tested.nextMinute();
        const { status, error } = await tested.api('GET', `${path}?cursor=${encodeURIComponent(cursor)}`);
        assert.equal(status, 422, `${cursor}: ${status}`);
        assert.equal((error.details as { code: string }[])[0]!.code, 'invalid_cursor');
      }
    });
  }
});

describe('the ETag of a single resource', () => {
  let paths: string[];
  before(async () => {
    const { body: document } = await tested.call('GET', '/openapi.json');
    paths = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
      methods.get !== undefined && path.endsWith('}') ? [path] : [],
    );
    for (const path of paths) {
      const { responses, parameters } = document.paths[path].get;
      assert.ok('304' in responses && parameters.some(({ name }: any) => name === 'If-None-Match'), path);
    }
  });

  it('makes the response to an unchanged resource 304 without a body, until the resource changes', async () => {
    assert.ok(paths.length >= 5, String(paths));
    const { body } = await tested.api('POST', '/contacts', { external_id: 'one', name: 'Huda' });
    const path = `/contacts/${body.id}`;
    const first = await tested.api('GET', path);
    const tag = first.headers.get('etag')!;
    assert.match(tag, /^(W\/)?"[^"]+"$/);
    assert.equal(first.headers.get('cache-control'), 'private, no-cache');
    const read = () => tested.service.fetch(tested.request('GET', path, { key, headers: { 'if-none-match': tag } }));
    const same = await read();
    assert.deepEqual([same.status, await same.text(), same.headers.get('etag')], [304, '', tag]);
    for (const name of ['x-request-id', 'x-service-api-version', 'x-ratelimit-remaining'])
      assert.ok(same.headers.has(name), name);
    await tested.api('PATCH', path, { name: 'Huda A.' });
    const changed = await read();
    assert.equal(changed.status, 200);
    assert.notEqual(changed.headers.get('etag'), tag);
  });

  it('is on no list, and no 304 hides an error', async () => {
    const list = await tested.api('GET', '/contacts');
    assert.equal(list.headers.get('etag'), null);
    assert.equal(list.headers.get('cache-control'), 'no-store');
    const missing = await tested.api('GET', '/contacts/con_none', undefined, { 'if-none-match': '*' });
    assert.deepEqual([missing.status, missing.headers.get('cache-control')], [404, 'no-store']);
    const denied = await tested.call('GET', '/contacts/con_none', { headers: { 'if-none-match': '*' } });
    assert.equal(denied.status, 401);
  });
});
