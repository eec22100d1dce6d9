import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { beforeEach, describe, it } from 'node:test';
import { and, eq } from 'drizzle-orm';
import type { StatusCardBlock } from '../../contract/wire.ts';
import { decideRequest } from '../../service/actions/approved-requests.ts';
import { verifyHost } from '../../service/actions/verify-host.ts';
import { actionCalls, actions, events, submissions, verifiedHosts, workspaces } from '../../service/db/schema.ts';
import { createEncryption } from '../../service/core/encryption.ts';
import { hour, useServer, useTestService } from './support.ts';

process.env['WORKSPACE_ENCRYPTION_KEY'] = 'for this test';
let received: { url: string; headers: IncomingMessage['headers']; body: string }[] = [];
let respond = (response: ServerResponse): void => void response.end('{"state":"sunny","inner":{"degrees":31}}');
const server = useServer((request, response) => {
  let body = '';
  request.on('data', (piece) => (body += String(piece)));
  request.on('end', () => {
    if (request.url === '/.well-known/workspace-assistant.txt') return response.end('pk_palm_and_clay_demo\n');
    received.push({ url: request.url!, headers: request.headers, body });
    return respond(response);
  });
});
const host = () => server.url;
const tested = useTestService({ allowLoopback: true });
const key = tested.secretKey;
const path = '/agents/agt_palm_and_clay/actions';
beforeEach(() => {
  tested.nextMinute();
  received = [];
});

const create = (body: object, headers = {}) => tested.call('POST', path, { key, body, headers });
const change = (id: string, body: object) => tested.call('PATCH', `${path}/${id}`, { key, body });
const callsOf = async (id: string, query = '') =>
  (await tested.call('GET', `${path}/${id}/calls${query}`, { key })).body.data;
const doer = () => ({
  db: tested.service.db,
  now: () => tested.clock.now,
  encryption: createEncryption('for this test'),
  allowLoopback: true,
});
const verify = async (id: string) => {
  const [action] = await tested.service.db.select().from(actions).where(eq(actions.id, id));
  return verifyHost(doer(), action!);
};

/** Creates an enabled http action with its own wording. */
const weather = async (name: string, more: object = {}) => {
  const { body } = await create({
    name,
    kind: 'http',
    url_template: `${host()}/weather/{town_code}?units=metric`,
    headers: { 'X-Api-Key': 'hidden value' },
    input_schema: { type: 'object', properties: { town_code: { type: 'string' } }, required: ['town_code'] },
    output_pick: ['state', 'inner.degrees'],
    config: { asked_by: [`Kiln weather ${name} in town`], timeout_ms: 1500, max_bytes: 500 },
    ...more,
  });
  assert.ok(await verify(body.id));
  assert.equal((await change(body.id, { enabled: true })).status, 200);
  return body;
};

describe('the actions API', () => {
  it('creates an action disabled, with a Location header and hidden header values', async () => {
    const { status, headers, body } = await create({
      name: 'check_stock',
      url_template: 'https://93.184.216.34/stock/{id}',
      headers: { Authorization: 'Bearer hidden' },
    });
    assert.equal(status, 201);
    assert.equal(headers.get('location'), `/api/v2${path}/${body.id}`);
    assert.deepEqual(
      [body.kind, body.method, body.host, body.host_verified, body.enabled, body.has_headers, body.header_names],
      ['http', 'POST', '93.184.216.34', false, false, true, ['Authorization']],
    );
    assert.deepEqual([body.data_access, body.requires_approval, body.output_pick], ['none', false, []]);
    const { body: listed } = await tested.call('GET', path, { key });
    assert.deepEqual(listed.data[0], body);
    assert.equal(listed.next_cursor, null);
    const [stored] = await tested.service.db.select().from(actions).where(eq(actions.id, body.id));
    assert.ok(!JSON.stringify([stored, listed]).includes('Bearer hidden'));
    const bare = await change(body.id, { headers: {} });
    assert.deepEqual([bare.body.has_headers, bare.body.header_names], [false, []]);
    assert.equal((await create({ name: 'check_stock' })).error.code, 'name_taken');
    const other = await create({ name: 'other_stock' });
    assert.equal((await change(other.body.id, { name: 'check_stock' })).error.code, 'name_taken');
    const twice = [await create({}, { 'idempotency-key': 'a' }), await create({}, { 'idempotency-key': 'a' })];
    assert.equal(twice[0]!.body.id, twice[1]!.body.id);
  });

  it('with an http request can be enabled only after its host is verified, and is disabled when its host changes', async () => {
    const body = { name: 'door', url_template: `${host()}/door`, enabled: true };
    const refused = await create(body);
    assert.deepEqual([refused.status, refused.error.code, refused.error.details], [409, 'conflict', 'host_unverified']);
    const made = (await create({ ...body, enabled: false })).body;
    assert.ok(await verify(made.id));
    const on = (await change(made.id, { enabled: true })).body;
    assert.deepEqual([on.enabled, on.host_verified], [true, true]);
    const moved = (await change(made.id, { url_template: 'https://93.184.216.34/door' })).body;
    assert.deepEqual([moved.enabled, moved.host_verified], [false, false]);
    await tested.service.db.delete(verifiedHosts);
  });

  for (const [what, body] of [
    ['a name in capitals', { name: 'Check' }],
    ['an unknown kind', { kind: 'email' }],
    ['a private address', { url_template: 'https://10.1.2.3/' }],
    ['a host from an input', { url_template: 'https://{host}/x' }],
    ['a line break in a header', { headers: { A: 'x\r\nB: y' } }],
  ] as const) {
    it(`rejects an action with ${what}`, async () => assert.equal((await create(body)).status, 422));
  }

  it('requires a larger plan for one action too many and for approval without the helpdesk', async () => {
    const { db } = tested.service;
    await db.update(workspaces).set({ plan: 'team' });
    const approval = await create({ name: 'approve_me', requires_approval: true });
    assert.deepEqual(
      [approval.status, approval.error.code, approval.error.required_plan],
      [402, 'plan_required', 'business'],
    );
    const made: string[] = [];
    for (;;) {
      const { status, body, error } = await create({});
      if (status === 201) made.push(body.id);
      else {
        assert.deepEqual([status, error.code, error.required_plan], [402, 'plan_required', 'business']);
        break;
      }
    }
    assert.equal((await tested.call('GET', path, { key })).body.data.length, 10);
    await db.update(workspaces).set({ plan: 'business' });
    for (const id of made) await db.delete(actions).where(eq(actions.id, id));
  });

  it('deletes the submissions of an action together with the action', async () => {
    const { db } = tested.service;
    const { body } = await tested.chat('I want a custom order', { key });
    const text = 'Name: Huda\nPhone: 92223333\nWhat to make: Tiles\nHow many: 1';
    await tested.chat(text, { key, conversation_id: body.conversation_id });
    assert.equal((await callsOf('act_custom_order'))[0].outcome, 'worked');
    const other = await tested.makeKey({ scopes: ['agents:write'], agentIds: [tested.service.demo.pausedAgentId] });
    assert.equal((await tested.call('DELETE', `${path}/act_custom_order`, { key: other })).status, 404);
    assert.equal((await tested.call('DELETE', `${path}/act_custom_order`, { key })).status, 204);
    assert.equal((await tested.call('DELETE', `${path}/act_custom_order`, { key })).status, 404);
    assert.deepEqual(await db.select().from(submissions), []);
    assert.equal((await tested.call('GET', '/leads', { key })).body.data[0].name, 'Huda');
  });
});

describe('the service, for an action call', () => {
  it('fills in the URL template, sends the headers, and returns the picked values', async () => {
    const action = await weather('alpha', { data_access: 'visitor' });
    const { body } = await tested.chat('Kiln weather alpha in town MCT-7/../x', { key });
    assert.deepEqual((body.message!.blocks![0] as StatusCardBlock).rows, [
      { label: 'state', value: 'sunny' },
      { label: 'degrees', value: '31' },
    ]);
    assert.equal(received[0]!.url, '/weather/MCT-7?units=metric');
    assert.equal(received[0]!.headers['x-api-key'], 'hidden value');
    const sent = JSON.parse(received[0]!.body);
    assert.deepEqual([sent.town_code, sent.conversation_id], ['MCT-7', body.conversation_id]);
    const [call] = await callsOf(action.id);
    assert.deepEqual([call.outcome, call.reason, call.inputs], ['worked', null, ['town_code']]);
    assert.equal(call.conversation_id, body.conversation_id);
    assert.ok(call.latency_ms >= 0);
    const emitted = await tested.service.db.select().from(events).where(eq(events.type, 'action.called'));
    assert.ok(emitted.some(({ data }) => data['id'] === call.id));
  });

  for (const [reason, how] of [
    ['http_status', (response: ServerResponse) => void response.writeHead(500).end()],
    ['bad_json', (response: ServerResponse) => void response.end('<html>')],
    ['too_large', (response: ServerResponse) => void response.end(`{"state":"${'x'.repeat(600)}"}`)],
    ['timeout', () => {}],
  ] as const) {
    it(`records a call that ends with ${reason} as failed`, async () => {
      const usual = respond;
      respond = how;
      const name = reason.replace('_', '');
      const action = await weather(name);
      const { body } = await tested.chat(`Kiln weather ${name} in town MCT-7`, { key });
      respond = usual;
      assert.equal(body.outcome, 'tool_failed');
      const [call] = await callsOf(action.id, '?failures_only=true');
      assert.deepEqual([call.outcome, call.reason], ['failed', reason]);
      if (reason === 'http_status') assert.deepEqual(call.detail, { status: 500 });
    });
  }

  it('refuses a call without a required input, to an unverified host, or over the limit of the conversation', async () => {
    const action = await weather('beta');
    await tested.chat('Kiln weather beta in town', { key });
    const started = await tested.chat('Hello', { key });
    const { db } = tested.service;
    await db.insert(actionCalls).values(
      Array.from({ length: 20 }, (_, at) => ({
        id: `acl_filler_${at}`,
        actionId: action.id,
        conversationId: started.body.conversation_id,
        outcome: 'worked' as const,
        preview: true,
        at: new Date(tested.clock.now),
      })),
    );
    await tested.chat('Kiln weather beta in town MCT-7', { key, conversation_id: started.body.conversation_id });
    await db.delete(verifiedHosts);
    await tested.chat('Kiln weather beta in town MCT-7', { key });
    assert.deepEqual(received, []);
    const refused = await callsOf(action.id, '?failures_only=true');
    assert.deepEqual(
      new Set(refused.map(({ outcome, reason }: any) => `${outcome} ${reason}`)),
      new Set(['refused host_unverified', 'refused conversation_cap', 'refused invalid_input']),
    );
    assert.deepEqual(refused.find(({ reason }: any) => reason === 'invalid_input').detail, { inputs: ['town_code'] });
    assert.equal((await callsOf(action.id)).length, 3, 'preview calls are left out');
  });

  it('submits a call for approval and keeps one record for the request and its run', async () => {
    const action = await weather('gamma', { requires_approval: true });
    const wish = 'Kiln weather gamma in town MCT-7';
    const { body } = await tested.chat(wish, { key });
    assert.match(body.message!.content, /passed your request to the team/);
    const [waiting] = await callsOf(action.id);
    assert.equal(waiting.outcome, 'waiting');
    const ticket = await tested.call('GET', `/tickets/${waiting.ticket_id}`, { key });
    assert.equal(ticket.body.conversation_id, body.conversation_id);
    assert.deepEqual(received, []);
    await decideRequest(doer(), waiting.id, { memberId: 'mem_salma', approve: true });
    assert.equal(received.length, 1);
    const [worked, ...others] = await callsOf(action.id);
    assert.deepEqual([worked.id, worked.outcome, others.length], [waiting.id, 'worked', 0]);
    assert.deepEqual([worked.approval.user_id, worked.approval.decision], ['mem_salma', 'approved']);
    assert.equal(worked.result.outcome, 'worked');
    await assert.rejects(decideRequest(doer(), waiting.id, { memberId: 'mem_salma', approve: false }), /conflict/);

    // Calls at the same time have no defined order.
    tested.clock.now += 1000;
    await tested.chat(wish, { key });
    const [second] = await callsOf(action.id);
    await decideRequest(doer(), second.id, { memberId: 'mem_salma', approve: false });
    assert.equal((await callsOf(action.id))[0].outcome, 'rejected');

    tested.clock.now += 1000;
    await tested.chat(wish, { key });
    tested.clock.now += 24 * hour;
    await tested.service.work();
    const [third] = await callsOf(action.id, '?failures_only=true');
    assert.equal(third.outcome, 'expired');
    assert.equal(received.length, 1);
    const [stored] = await tested.service.db
      .select()
      .from(actionCalls)
      .where(and(eq(actionCalls.id, third.id)));
    assert.equal(stored!.encryptedArguments, null);
  });

  it('records the calls of client tools and bookings', async () => {
    for await (const { event, data } of tested.stream('Palm mug prd_mug', { key, client_tools: ['show_product'] })) {
      if (event !== 'client_tool') continue;
      const { conversation_id, call_id } = data;
      const body = { conversation_id, call_id, ok: false, error: 'no' };
      await tested.call('POST', `${tested.chatPath}/tool-results`, { key, body });
    }
    const [call] = await callsOf('act_show_product');
    assert.deepEqual([call.outcome, call.reason, call.inputs], ['failed', 'client_error', ['product_id']]);
    const { body } = await tested.chat('Book a class', { key });
    const [block] = body.message!.blocks as any[];
    await tested.chat(block.times[0].start, { key, conversation_id: body.conversation_id });
    const [booked] = await callsOf('act_book_class');
    assert.deepEqual([booked.outcome, booked.detail], ['worked', { vendor: 'studio_calendar' }]);
  });

  it('lists calls with conversations:read, for agents that the key can reach', async () => {
    const reader = await tested.makeKey({ scopes: ['agents:read'] });
    const { error } = await tested.call('GET', `${path}/act_book_class/calls`, { key: reader });
    assert.equal(error.required_scope, 'conversations:read');
    assert.equal((await tested.call('GET', `${path}/act_none/calls`, { key })).status, 404);
    assert.equal((await tested.call('GET', `/agents/agt_none/actions`, { key })).status, 404);
  });
});
