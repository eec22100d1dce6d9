import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { eq } from 'drizzle-orm';
import { conversations } from '../../service/db/schema.ts';
import { hour, useTestService } from './support.ts';

const tested = useTestService();
const key = tested.secretKey;
beforeEach(() => tested.nextMinute());

const pages = async (path: string, limit: number): Promise<any[]> => {
  const all: any[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: string = `${path.includes('?') ? '&' : '?'}limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const { status, body } = await tested.call('GET', `${path}${query}`, { key });
    assert.equal(status, 200);
    assert.ok(body.data.length <= limit);
    all.push(...body.data);
    cursor = body.next_cursor;
  }
  return all;
};

describe('the account API', () => {
  it('describes the calling key to any secret key', async () => {
    const { body } = await tested.call('GET', '/me', { key: await tested.makeKey({ scopes: [] }) });
    assert.equal(body.api_version, '2026-10-01');
    assert.deepEqual(body.workspace, { id: 'wsp_palm_and_clay', name: 'Palm & Clay', plan: 'business' });
    assert.equal(body.key.kind, 'secret');
    assert.deepEqual(body.key.scopes, []);
    assert.equal(body.key.agent_ids, null);
    assert.deepEqual(body.key.maker.held_back, []);
  });
});

describe('the agents API', () => {
  it('lists and reads agents', async () => {
    const listed = await pages('/agents', 1);
    const ids = new Set(listed.map(({ id }) => id));
    assert.deepEqual(ids, new Set([tested.agentId, tested.service.demo.pausedAgentId]));
    const { body } = await tested.call('GET', `/agents/${tested.agentId}`, { key });
    assert.equal(body.language, 'bilingual');
    assert.equal(body.status, 'live');
    assert.match(body.public_key, /^pk_/);
    assert.deepEqual(
      body,
      listed.find(({ id }) => id === tested.agentId),
    );
  });

  it('hides agents that the key cannot reach', async () => {
    const limited = await tested.makeKey({ scopes: ['agents:read'], agentIds: [tested.agentId] });
    const { body } = await tested.call('GET', '/agents', { key: limited });
    assert.deepEqual(
      body.data.map(({ id }: { id: string }) => id),
      [tested.agentId],
    );
    const other = await tested.call('GET', `/agents/${tested.service.demo.pausedAgentId}`, { key: limited });
    assert.equal(other.status, 404);
  });
});

describe('the conversations API', () => {
  it('lists conversations newest first in pages that neither skip nor repeat', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 7; at++) ids.push((await tested.chat('Hi')).body.conversation_id);
    const listed = await pages(`/agents/${tested.agentId}/conversations`, 3);
    assert.equal(new Set(listed.map(({ id }) => id)).size, listed.length);
    for (const id of ids) assert.ok(listed.some((each) => each.id === id));
    const times = listed.map(({ started_at }) => started_at as string);
    assert.deepEqual(
      times,
      times.toSorted((a, b) => b.localeCompare(a)),
    );
    assert.equal(listed[0].channel, 'api');
  });

  it('filters conversations by state and shows them as closed after 24 hours', async () => {
    const { body } = await tested.chat('I want to talk to a human');
    const path = `/agents/${tested.agentId}/conversations?state=handoff_requested`;
    assert.deepEqual(
      (await pages(path, 20)).map(({ id }) => id),
      [body.conversation_id],
    );
    tested.clock.now += 24 * hour;
    assert.deepEqual(await pages(path, 20), []);
    const { body: shown } = await tested.call('GET', `/conversations/${body.conversation_id}`, { key });
    assert.equal(shown.state, 'closed');
  });

  it('lists the messages of a conversation oldest first', async () => {
    const { body } = await tested.chat('Hi', { key });
    const id = body.conversation_id;
    await tested.chat('Where can I park?', { key, conversation_id: id });
    const said = await pages(`/conversations/${id}/messages`, 3);
    assert.deepEqual(
      said.map(({ role, actor_type }) => [role, actor_type]),
      [
        ['user', 'visitor'],
        ['assistant', 'ai'],
        ['user', 'visitor'],
        ['assistant', 'ai'],
      ],
    );
    assert.equal(said[3].outcome, 'answered');
    assert.equal(said[3].sources[0].file_id, 'src_visiting_en');
    assert.equal(said[0].outcome, null);
  });

  it('hides the conversations of agents that the key cannot reach', async () => {
    const { body } = await tested.chat('Hi');
    const limited = await tested.makeKey({
      scopes: ['conversations:read'],
      agentIds: [tested.service.demo.pausedAgentId],
    });
    for (const path of ['', '/messages']) {
      const { status } = await tested.call('GET', `/conversations/${body.conversation_id}${path}`, { key: limited });
      assert.equal(status, 404);
    }
    const [row] = await tested.service.db
      .select()
      .from(conversations)
      .where(eq(conversations.id, body.conversation_id));
    assert.ok(row);
  });
});

describe('the service, for a list', () => {
  for (const query of ['limit=0', 'limit=101', 'limit=many', 'cursor=nonsense', 'cursor=W10']) {
    it(`rejects a list request with ${query}`, async () => {
      assert.equal((await tested.call('GET', `/agents?${query}`, { key })).status, 422);
    });
  }
});

describe('the service', () => {
  it('serves the OpenAPI document without a key, with the required scopes', async () => {
    const { status, body } = await tested.call('GET', '/openapi.json');
    assert.equal(status, 200);
    assert.equal(body.openapi, '3.1.0');
    assert.equal(body.info.version, '2026-10-01');
    const chat = body.paths['/api/v2/agents/{agent_id}/chat'].post;
    assert.deepEqual(chat.security, [{ key: ['chat'] }]);
    assert.deepEqual(Object.keys(chat.responses['200'].content), ['application/json', 'text/event-stream']);
    for (const status of ['401', '403', '404', '409', '410', '413', '422', '429', '500']) {
      assert.ok(chat.responses[status], status);
    }
  });
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
    ]
      .concat([
        '0999-01-01T00:00:00.000Z',
        '2026-02-31T00:00:00.000Z',
        '2026-13-01T00:00:00.000Z',
        '2026-10-05',
        'infinity',
        'now',
        '',
      ])
      .map((time) => encode([time, id])),
    ...['', '\0', '\ud800', 'x'.repeat(101), "' or 1=1", 1, null, {}].map((other) =>
      encode(['2026-10-05T06:00:00.000Z', other]),
    ),
    ...[-1, 1.5, 9_007_199_254_740_992, '1', null].map((position) => encode([position])),
    ...[[], {}, null, 1, [[]], ['2026-10-05T06:00:00.000Z', id, id]].map(encode),
    `${encode(['2026-10-05T06:00:00.000Z', id])}=`,
    `${encode(['2026-10-05T06:00:00.000Z', id])}!`,
  ];
  const lists = [
    '/agents',
    '/agents/agt_palm_and_clay/sources',
    '/agents/agt_palm_and_clay/conversations',
    '/agents/agt_palm_and_clay/submissions',
    '/conversations/CONVERSATION/messages',
    '/contacts',
    '/leads',
    '/tickets',
    '/webhooks',
    '/agents/agt_palm_and_clay/actions/ACTION/calls',
  ];
  for (const list of lists) {
    it(`is rejected by ${list}`, async () => {
      const { body: chat } = await tested.chat('Hello');
      const { body: actions } = await tested.call('GET', '/agents/agt_palm_and_clay/actions', {
        key: tested.secretKey,
      });
      const path = list.replace('CONVERSATION', chat.conversation_id).replace('ACTION', actions.data[0].id);
      for (const cursor of cursors) {
        tested.nextMinute();
        const { status, error } = await tested.call('GET', `${path}?cursor=${encodeURIComponent(cursor)}`, {
          key: tested.secretKey,
        });
        assert.equal(status, 422, `${cursor}: ${status}`);
        assert.equal((error.details as { code: string }[])[0]!.code, 'invalid_cursor');
      }
    });
  }
});
