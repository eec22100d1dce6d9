import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { eq } from 'drizzle-orm';
import { events, members, tagRules, ticketFields, workspaces } from '../../service/db/schema.ts';
import { replyAsTeam } from '../../service/chat/messages.ts';
import { useTestService } from './support.ts';

const tested = useTestService();
const key = tested.secretKey;
beforeEach(() => tested.nextMinute());

/** Starts a conversation with a handoff request. */
const asked = async (first = 'I want to talk to a human') => {
  const { body } = await tested.chat(first, { key });
  const { body: listed } = await tested.call('GET', '/tickets?limit=1', { key });
  return { conversation_id: body.conversation_id, ticket: listed.data[0] };
};
const say = (conversation_id: string, content: string) => tested.chat(content, { key, conversation_id });
const reply = (id: string) =>
  replyAsTeam({ db: tested.service.db, now: () => tested.clock.now }, id, 'Salma here, hello!');
const read = async (id: string) => (await tested.call('GET', `/tickets/${id}`, { key })).body;
const change = (id: string, body: object) => tested.call('PATCH', `/tickets/${id}`, { key, body });
const state = async (id: string) => (await tested.call('GET', `/conversations/${id}`, { key })).body.state;
const emitted = async (type: any, id: string) =>
  (await tested.service.db.select().from(events).where(eq(events.type, type))).filter(({ data }) => data['id'] === id);

describe('the service, for tickets', () => {
  it('opens a ticket for a handoff request', async () => {
    await tested.service.db
      .insert(tagRules)
      .values({ id: 'rule', workspaceId: 'wsp_palm_and_clay', words: 'Human', tag: 'urgent' });
    const { ticket, conversation_id } = await asked();
    assert.deepEqual(
      [ticket.status, ticket.priority, ticket.source, ticket.channel, ticket.language, ticket.subject, ticket.tags],
      ['new', 'normal', 'handoff', 'api', 'en', 'I want to talk to a human', ['urgent']],
    );
    assert.equal(ticket.conversation_id, conversation_id);
    assert.equal(ticket.handoff_at, new Date(tested.clock.now).toISOString());
    assert.deepEqual([ticket.first_response_seconds, ticket.resolution_seconds, ticket.csat_score], [null, null, null]);
    assert.equal((await emitted('ticket.created', ticket.id)).length, 1);
    const { body } = await tested.call('GET', '/tickets?tag=urgent&status=new', { key });
    assert.deepEqual(body.data, [ticket]);
    assert.deepEqual((await tested.call('GET', '/tickets?tag=other', { key })).body.data, []);
  });

  it('moves between team and customer with each message, and measures the first response once', async () => {
    const { ticket, conversation_id } = await asked();
    tested.clock.now += 90_000;
    await reply(conversation_id);
    assert.equal(await state(conversation_id), 'human_active');
    const answered = await read(ticket.id);
    assert.deepEqual([answered.status, answered.first_response_seconds], ['on_customer', 90]);
    const { body } = await say(conversation_id, 'Thank you for coming');
    assert.deepEqual([body.message, body.state], [null, 'human_active']);
    assert.equal((await read(ticket.id)).status, 'on_you');
    tested.clock.now += 60_000;
    await reply(conversation_id);
    const again = await read(ticket.id);
    assert.deepEqual([again.status, again.first_response_seconds], ['on_customer', 90]);
  });

  it('returns the visitor to the assistant and measures the resolution time when a key closes the ticket', async () => {
    const { ticket, conversation_id } = await asked();
    await reply(conversation_id);
    tested.clock.now += 120_000;
    const { status, body } = await change(ticket.id, { status: 'closed' });
    assert.deepEqual([status, body.status, body.closed_by, body.resolution_seconds], [200, 'closed', null, 120]);
    assert.equal(body.closed_at, new Date(tested.clock.now).toISOString());
    assert.equal(await state(conversation_id), 'ai_active');
    assert.equal((await emitted('ticket.closed', ticket.id)).length, 1);
    assert.equal((await emitted('ticket.closed', ticket.id))[0]!.data['status'], 'closed');
    assert.ok((await say(conversation_id, 'Where can I park?')).body.message);
    assert.equal((await read(ticket.id)).status, 'on_you');
  });

  it('allows exactly the status transitions of the contract', async () => {
    const { ticket, conversation_id } = await asked();
    const move = async (to: string) => {
      const { status, body } = await change(ticket.id, { status: to });
      return status === 200 ? body.status : body.error.code;
    };
    assert.equal(await move('open'), 'conflict');
    assert.equal(await move('on_hold'), 'on_hold');
    assert.equal(await move('on_hold'), 'conflict');
    assert.equal(await move('open'), 'new');
    await reply(conversation_id);
    assert.equal(await move('on_hold'), 'on_hold');
    assert.equal(await move('open'), 'on_customer');
    assert.equal(await move('closed'), 'closed');
    assert.equal(await move('closed'), 'conflict');
    assert.equal(await move('on_hold'), 'conflict');
    assert.equal(await move('open'), 'on_customer');
    assert.deepEqual([(await read(ticket.id)).closed_at, (await read(ticket.id)).resolution_seconds], [null, null]);
    await move('on_hold');
    tested.clock.now += 1000;
    await say(conversation_id, 'Any news?');
    assert.equal((await read(ticket.id)).status, 'on_you');
    await move('on_hold');
    assert.equal(await move('open'), 'on_you');
  });

  it('can be assigned only to members who may reply for its agent', async () => {
    const { ticket } = await asked();
    const at = new Date(tested.clock.now);
    const common = { workspaceId: 'wsp_palm_and_clay', email: 'x@example.com', createdAt: at };
    await tested.service.db
      .insert(members)
      .values([
        { ...common, id: 'mem_viewer', name: 'V', role: 'viewer' },
        { ...common, id: 'mem_other', name: 'O', role: 'agent', agentIds: ['agt_other'] },
        { ...common, id: 'mem_gone', name: 'G', role: 'agent', endedAt: at },
      ])
      .onConflictDoNothing();
    for (const id of ['mem_viewer', 'mem_other', 'mem_gone', 'mem_none']) {
      const { status, error } = await change(ticket.id, { assignee_user_id: id });
      assert.deepEqual([status, (error.details as any[])[0].code], [422, 'not_eligible'], id);
    }
    assert.equal((await change(ticket.id, { assignee_user_id: 'mem_yusuf' })).body.assignee_user_id, 'mem_yusuf');
    const { body } = await tested.call('GET', '/tickets?assignee_user_id=mem_yusuf', { key });
    assert.deepEqual(
      body.data.map(({ id }: any) => id),
      [ticket.id],
    );
    assert.equal((await change(ticket.id, { assignee_user_id: null })).body.assignee_user_id, null);
  });

  it('validates and merges the custom fields of the workspace', async () => {
    const { ticket } = await asked();
    const field = (fieldKey: string, kind: any, options: string[] = []) => ({
      id: `tf_${fieldKey}`,
      workspaceId: 'wsp_palm_and_clay',
      key: fieldKey,
      label: fieldKey,
      kind,
      options,
    });
    await tested.service.db
      .insert(ticketFields)
      .values([field('order', 'text'), field('amount', 'number'), field('kind', 'select', ['refund', 'swap'])]);
    const first = await change(ticket.id, { custom: { order: 'A1', amount: 2, kind: 'refund' }, priority: 'high' });
    assert.deepEqual(first.body.custom, { order: 'A1', amount: 2, kind: 'refund' });
    assert.equal(first.body.priority, 'high');
    assert.deepEqual((await change(ticket.id, { custom: { order: null } })).body.custom, { amount: 2, kind: 'refund' });
    for (const custom of [{ size: 'L' }, { amount: 'two' }, { kind: 'gift' }]) {
      assert.equal((await change(ticket.id, { custom })).status, 422);
    }
    assert.equal((await emitted('ticket.updated', ticket.id)).length, 2);
  });

  it('rejects an empty change, and hides tickets of agents that the key cannot reach', async () => {
    const { ticket } = await asked();
    assert.equal((await change(ticket.id, {})).status, 422);
    const limited = await tested.makeKey({
      scopes: ['tickets:read', 'tickets:write'],
      agentIds: [tested.service.demo.pausedAgentId],
    });
    assert.equal((await tested.call('GET', `/tickets/${ticket.id}`, { key: limited })).status, 404);
    assert.equal(
      (await tested.call('PATCH', `/tickets/${ticket.id}`, { key: limited, body: { priority: 'low' } })).status,
      404,
    );
    assert.deepEqual((await tested.call('GET', '/tickets', { key: limited })).body.data, []);
    const reader = await tested.makeKey({ scopes: ['tickets:read'] });
    assert.equal(
      (await tested.call('PATCH', '/tickets/x', { key: reader, body: {} })).error.required_scope,
      'tickets:write',
    );
  });

  it('opens no ticket on a plan without the helpdesk', async () => {
    const { db } = tested.service;
    await db.update(workspaces).set({ plan: 'team' });
    const before = (await tested.call('GET', '/tickets?limit=100', { key })).body.data.length;
    await tested.chat('I want to talk to a human', { key });
    assert.equal((await tested.call('GET', '/tickets?limit=100', { key })).body.data.length, before);
    await db.update(workspaces).set({ plan: 'starter' });
    const { status, error } = await tested.call('GET', '/tickets', { key });
    assert.deepEqual([status, error.code, error.required_plan], [403, 'plan_required', 'team']);
    await db.update(workspaces).set({ plan: 'business' });
  });
});

it('returns key_maker_left for a key whose maker’s membership ended', async () => {
  const made = await tested.makeKey({ scopes: ['tickets:read'], makerId: 'mem_yusuf' });
  assert.equal((await tested.call('GET', '/tickets', { key: made })).status, 200);
  await tested.service.db.update(members).set({ endedAt: new Date() }).where(eq(members.id, 'mem_yusuf'));
  const { status, error } = await tested.call('GET', '/tickets', { key: made });
  assert.deepEqual([status, error.code], [401, 'key_maker_left']);
});
