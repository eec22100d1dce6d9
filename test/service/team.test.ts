import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eq, like } from 'drizzle-orm';
import { actionCalls, actions, messages, tickets, workspaces } from '../../service/db/schema.ts';
import { origin, useTestService } from './support.ts';

const tested = useTestService();
const key = tested.secretKey;

const team = (method: string, path: string, body?: object, key?: string) => tested.callTeam(method, path, body, key);

const overview = async () => (await team('GET', '/overview')).body;
const agentPath = () => `/agents/${tested.agentId}`;
const source = async (id: string) => (await tested.api('GET', `${agentPath()}/sources/${id}`)).body;

it('shows the workspace in the overview without its secrets', async () => {
  const shown = await overview();
  assert.deepEqual(
    shown.agents.map(({ id, status }: any) => [id, status]),
    [
      [tested.agentId, 'live'],
      [tested.service.demo.pausedAgentId, 'paused'],
    ],
  );
  assert.ok(shown.agents[0].sources.length > 0 && shown.agents[0].actions.length > 0);
  assert.equal(shown.members.find(({ role }: any) => role === 'owner').id, 'mem_salma');
  assert.equal(shown.usage.pool.used, 0);
  assert.ok(!JSON.stringify(shown).includes(key));
  assert.ok(shown.keys.every((each: object) => !('key_hash' in each) && !('keyHash' in each)));
});

describe('the dashboard, for custom fields', () => {
  it('replaces the lead fields as a whole, keeps their order, and keeps the ids of existing fields', async () => {
    const [first, second] = (await overview()).agents[0].lead_fields;
    const { body: before } = await tested.api('GET', `${agentPath()}/lead-fields`);
    const added = { key: 'glaze', label_en: 'Glaze', label_ar: 'الطلاء', kind: 'select', options: ['Ash', 'Tin'] };
    const saved = await team('POST', `${agentPath()}/lead-fields`, { fields: [second, added, first] });
    assert.equal(saved.status, 200, JSON.stringify(saved.body));
    const { body } = await tested.api('GET', `${agentPath()}/lead-fields`);
    assert.deepEqual(
      body.data.map((field: any) => [field.key, field.position]),
      [
        [second.key, 0],
        ['glaze', 1],
        [first.key, 2],
      ],
    );
    assert.equal(body.data[2].id, before.data[0].id);
    assert.deepEqual([body.data[1].label_ar, body.data[1].options], ['الطلاء', ['Ash', 'Tin']]);
  });

  it('rejects invalid fields and changes nothing', async () => {
    const before = (await overview()).agents[0].lead_fields;
    const field = { key: 'size', label_en: 'Size', kind: 'text' };
    for (const fields of [
      [field, field],
      [{ ...field, kind: 'select' }],
      [{ ...field, key: 'Size!' }],
      [{ ...field, label_en: '' }],
    ]) {
      assert.equal((await team('POST', `${agentPath()}/lead-fields`, { fields })).status, 422);
    }
    assert.deepEqual((await overview()).agents[0].lead_fields, before);
    assert.equal((await team('POST', '/agents/agt_none/lead-fields', { fields: [] })).status, 404);
  });
});

it('the dashboard indexes a file, uses it in replies, and does not return its content', async () => {
  const text = '# Glazing night\n\nGlazing night is on the first Tuesday of each month.';
  const { status, body } = await team('POST', `${agentPath()}/sources`, { type: 'file', name: 'night.md', text });
  assert.deepEqual([status, body.type, body.status, body.content_sha256 ?? null], [202, 'file', 'uploaded', null]);
  await tested.service.work();
  assert.equal((await source(body.id)).status, 'indexed');
  const response = await tested.chat('When is glazing night?');
  assert.match(response.body.message!.content, /first Tuesday/);
  assert.equal(response.body.sources[0]!.filename, 'night.md');
  assert.equal((await tested.api('GET', `${agentPath()}/sources/${body.id}/content`)).status, 404);
});

it('rejects an e-mail event that is unknown, or of an unknown contact', async () => {
  const { body: contact } = await tested.api('POST', '/contacts', { email: 'mail@example.com' });
  assert.equal((await team('POST', '/contacts/con_none/mail', { event: 'bounced' })).status, 404);
  assert.equal((await team('POST', `/contacts/${contact.id}/mail`, { event: 'subscribed' })).status, 422);
});

it('finds no voice session of an unknown conversation', async () => {
  const call = { conversation_id: 'cnv_none', duration_seconds: 1 };
  assert.equal((await team('POST', `${agentPath()}/voice-sessions`, call)).status, 404);
});

describe('the simulator of conversations', () => {
  const start = (channel: string, text: string) => team('POST', `${agentPath()}/conversations`, { channel, text });

  it('stores the rating of a reply, which the list of messages returns', async () => {
    const { body } = await start('website', 'Where can I park?');
    const path = `/conversations/${body.conversation_id}/messages`;
    const listed = (await tested.api('GET', path)).body.data;
    const question = listed.find(({ role }: any) => role === 'user');
    const reply = listed.find(({ role }: any) => role === 'assistant');
    assert.equal(reply.feedback, null);
    const bad = { rating: -1, comment: 'Too long' };
    assert.deepEqual((await team('POST', `/messages/${reply.id}/feedback`, bad)).body.feedback, bad);
    const { status } = await team('POST', `/messages/${reply.id}/feedback`, { rating: 1 });
    assert.equal(status, 200);
    const read = (await tested.api('GET', path)).body.data.find(({ id }: any) => id === reply.id);
    assert.deepEqual(read.feedback, { rating: 1 });
    assert.equal((await team('POST', `/messages/${reply.id}/feedback`, { rating: 5 })).status, 422);
    assert.equal((await team('POST', `/messages/${question.id}/feedback`, { rating: 1 })).status, 409);
    assert.equal((await team('POST', '/messages/msg_none/feedback', { rating: 1 })).status, 404);
  });
});

it('accepts only keys of the owner with every scope', async () => {
  const limited = await tested.makeKey({ scopes: ['tickets:read', 'tickets:write'] });
  for (const [by, status, code] of [
    [limited, 403, 'insufficient_scope'],
    [tested.service.demo.publishableKey, 403, 'secret_key_required'],
    ['svc_sk_none', 401, 'invalid_key'],
  ] as const) {
    const response = await team('GET', '/inbox', undefined, by);
    assert.deepEqual([response.status, response.body.error.code], [status, code]);
  }
});

it('lets a person take over from the inbox, in any language, until the conversation ends', async () => {
  const { body } = await tested.chat('I want to talk to a human', { key });
  const conversation_id = body.conversation_id;
  const [ticket] = (await team('GET', '/inbox')).body.tickets;
  assert.deepEqual([ticket.conversation_id, ticket.state], [conversation_id, 'handoff_requested']);
  const { body: said } = await team('GET', `/conversations/${conversation_id}/messages`);
  assert.equal(said.data.length, 2);
  const replied = await team('POST', `/conversations/${conversation_id}/reply`, { text: 'Salma here!' });
  assert.deepEqual([replied.status, replied.body.actor_type, replied.body.lang], [201, 'owner', 'en']);
  const inArabic = await team('POST', `/conversations/${conversation_id}/reply`, { text: 'أهلًا، معك سلمى' });
  assert.equal(inArabic.body.lang, 'ar', 'a person writes in whichever language');
  assert.equal((await team('POST', `/tickets/${ticket.id}/csat`, { score: 5 })).status, 422);
  assert.equal((await team('POST', `/conversations/${conversation_id}/close`)).status, 204);
  assert.equal((await team('POST', `/conversations/${conversation_id}/reply`, { text: 'Late' })).status, 410);
  assert.equal((await team('POST', '/conversations/cnv_none/reply', { text: 'x' })).status, 404);
});

it('keeps the open tickets in the inbox, before the newest closed ones', async () => {
  const { conversation_id } = (await tested.chat('I want to talk to a human', { key })).body;
  const [open] = await tested.rows(tickets, eq(tickets.conversationId, conversation_id));
  const closed = Array.from({ length: 51 }, (_, at) => ({
    ...open!,
    id: `tik_closed_${at}`,
    conversationId: null,
    status: 'closed' as const,
    updatedAt: new Date(tested.clock.now + at + 1),
  }));
  await tested.service.db.insert(tickets).values(closed);
  const listed = (await team('GET', '/inbox')).body.tickets.map(({ id }: { id: string }) => id);
  assert.ok(listed.slice(0, -50).includes(open!.id));
  const newestClosed = closed.map(({ id }) => id).toReversed();
  assert.deepEqual(listed.slice(-50), newestClosed.slice(0, 50));
  assert.equal(listed.includes(newestClosed[50]), false);
});

it('shows the newest of many open tickets and of many messages, and says that there are others', async () => {
  const { conversation_id } = (await tested.chat('I want to talk to a human', { key })).body;
  const [open] = await tested.rows(tickets, eq(tickets.conversationId, conversation_id));
  assert.equal((await team('GET', '/inbox')).body.has_more, false);
  const others = Array.from({ length: 501 }, (_, at) => ({
    ...open!,
    id: `tik_open_${at}`,
    conversationId: null,
    updatedAt: new Date(tested.clock.now + 1000 + at),
  }));
  await tested.service.db.insert(tickets).values(others);
  const { body: inbox } = await team('GET', '/inbox');
  const shown = inbox.tickets.filter(({ status }: { status: string }) => status !== 'closed');
  assert.deepEqual(
    [shown.length, shown[0].id, shown.at(-1).id, inbox.has_more],
    [500, 'tik_open_500', 'tik_open_1', true],
  );
  await tested.service.db.delete(tickets).where(like(tickets.id, 'tik_open_%'));

  const path = `/conversations/${conversation_id}/messages`;
  assert.equal((await team('GET', path)).body.has_more, false);
  const [first] = await tested.rows(messages, eq(messages.conversationId, conversation_id));
  const { position: _, ...row } = first!;
  const more = Array.from({ length: 200 }, (__, at) => ({ ...row, id: `msg_more_${at}` }));
  await tested.service.db.insert(messages).values(more);
  const { body } = await team('GET', path);
  assert.deepEqual([body.data.map(({ id }: { id: string }) => id), body.has_more], [more.map(({ id }) => id), true]);
});

it('lists the requests to approve in the order in which they were made', async () => {
  const { db } = tested.service;
  const [action] = await tested.rows(actions);
  const call = (id: string, minute: number) => ({
    id,
    actionId: action!.id,
    outcome: 'waiting' as const,
    at: new Date(tested.clock.now + minute * 60_000),
  });
  await db.insert(actionCalls).values([call('call_c', 3), call('call_a', 1), call('call_b', 2)]);
  const { requests } = (await team('GET', '/inbox')).body;
  assert.deepEqual(
    requests.map(({ id }: { id: string }) => id),
    ['call_a', 'call_b', 'call_c'],
  );
  await db.delete(actionCalls);
});

it('accepts an empty body as an empty object, with and without its type', async () => {
  const call = async (body: string | null, type?: string) => {
    const { conversation_id } = (await tested.chat('Hello', { key })).body;
    const headers = { authorization: `Bearer ${key}`, ...(type === undefined ? {} : { 'content-type': type }) };
    const url = `${origin}/team/conversations/${conversation_id}/close`;
    return (await tested.service.fetch(new Request(url, { method: 'POST', headers, body }))).status;
  };
  assert.equal(await call(null), 204);
  assert.equal(await call('', 'application/json'), 204);
  assert.equal(await call('{}', 'text/plain'), 415);
  assert.equal(await call('{', 'application/json'), 400);
});

it('does not find an id with a NUL character', async () => {
  for (const [method, path] of [
    ['GET', '/webhooks/%00/deliveries'],
    ['PATCH', '/agents/agt_palm_and_clay%00'],
    ['POST', '/agents/%00/conversations'],
    ['DELETE', '/keys/%00'],
  ] as const) {
    assert.equal((await team(method, path)).status, 404, path);
  }
});

describe('the service, for tickets', () => {
  it('measures the first response once', async () => {
    const { conversation_id } = (await tested.chat('I want to talk to a human', { key })).body;
    for (const text of ['Salma here, hello!', 'Anything else?']) {
      tested.clock.now += 90_000;
      await tested.callTeam('POST', `/conversations/${conversation_id}/reply`, { text });
      await tested.chat('Thank you for coming', { key, conversation_id });
    }
    const [ticket] = (await tested.api('GET', '/tickets?limit=1')).body.data;
    assert.equal(ticket.first_response_seconds, 90);
  });

  it('opens no ticket on a plan without the helpdesk', async () => {
    await tested.set(workspaces, { plan: 'team' });
    const before = (await tested.api('GET', '/tickets?limit=100')).body.data.length;
    await tested.chat('I want to talk to a human', { key });
    assert.equal((await tested.api('GET', '/tickets?limit=100')).body.data.length, before);
    await tested.set(workspaces, { plan: 'business' });
  });
});
