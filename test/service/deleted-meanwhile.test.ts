import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eq } from 'drizzle-orm';
import {
  actionCalls,
  bookings,
  contacts,
  conversations,
  events,
  messages,
  submissions,
  tickets,
  toolCalls,
} from '../../service/db/schema.ts';
import { localSignals } from '../../service/db/signals.ts';
import { linkContact } from '../../service/contacts/link-contact.ts';
import { openTicket } from '../../service/tickets/conversation-ticket.ts';
import { addVisitorMessage } from '../../service/chat/messages.ts';
import { createReplyEffects } from '../../service/chat/reply-effects.ts';
import { createToolCalls } from '../../service/chat/tool-calls.ts';
import { createEncryption } from '../../service/core/encryption.ts';
import { conversationOf } from './scenarios.ts';
import { useServer, useTestService } from './support.ts';

let whenReceived: () => Promise<void> = async () => {};
const server = useServer((response) => void whenReceived().then(() => response.end('{"state":"done"}')));
const tested = useTestService({ allowLoopback: true });
const key = tested.secretKey;
const path = '/agents/agt_palm_and_clay/actions';

const createAction = async (body: { name: string; config: object } & Record<string, unknown>) => {
  await tested.verifyHost(server.url);
  const created = await tested.api('POST', path, { enabled: true, ...body });
  assert.equal(created.status, 201);
  return created.body;
};
const remove = async (id: string) => assert.equal((await tested.api('DELETE', `${path}/${id}`)).status, 204);

describe('an action that is deleted during a turn', () => {
  it('gets no record of its http request, and the turn ends with a reply', async () => {
    const url_template = `${server.url}/polish`;
    const config = { asked_by: ['Polish the obsidian pendulum'] };
    const { id } = await createAction({ name: 'polish', kind: 'http', url_template, config });
    whenReceived = () => remove(id);
    const { status, body } = await tested.chat('Polish the obsidian pendulum now', { key });
    assert.deepEqual([status, body.outcome], [200, 'answered']);
    const calls = await tested.rows(actionCalls, eq(actionCalls.actionId, id));
    assert.deepEqual(calls, []);
  });

  it('gets no record of its client tool, and the stream ends with `done`', async () => {
    const config = { asked_by: ['Rotate the obsidian pendulum'], timeout_ms: 300 };
    const { id } = await createAction({ name: 'rotate', kind: 'client_tool', config });
    const names: string[] = [];
    for await (const { event } of tested.stream('Rotate the obsidian pendulum', { key, client_tools: ['rotate'] })) {
      names.push(event);
      if (event === 'client_tool') await remove(id);
    }
    assert.ok(names.includes('client_tool'));
    assert.equal(names.at(-1), 'done');
    assert.deepEqual(await tested.rows(toolCalls, eq(toolCalls.actionId, id)), []);
  });

  it('neither opens a tool call nor stores a submission, a booking or a request for approval', async () => {
    const { db } = tested.service;
    const { id } = await createAction({ name: 'gone', kind: 'client_tool', config: {} });
    const deleted = (await tested.api('GET', path)).body.data.find((each: any) => each.id === id);
    await remove(id);
    const { body } = await tested.chat('Hello', { key });
    const [conversation] = await tested.rows(conversations, eq(conversations.id, body.conversation_id));
    const context = {
      db,
      now: () => tested.clock.now,
      encryption: createEncryption('for this test'),
      allowLoopback: true,
    };
    const effects = createReplyEffects(context, conversation!, 'en', undefined);
    await effects.saveSubmission(deleted, 'msg_1', { name: 'Huda' });
    assert.equal(await effects.book(deleted, new Date(tested.clock.now), new Date(tested.clock.now)), false);
    assert.deepEqual(await effects.runAction(deleted, {}), { outcome: 'refused' });
  });
});

it('a contact that is deleted during a turn is not linked to the ticket that the turn opens', async () => {
  const { db } = tested.service;
  const { body: contact } = await tested.api('POST', '/contacts', { external_id: 'during' });
  const { body } = await tested.chat('Hello', { key });
  const isConversation = eq(conversations.id, body.conversation_id);
  const [before] = await db.update(conversations).set({ contactId: contact.id }).where(isConversation).returning();
  assert.equal((await tested.api('DELETE', `/contacts/${contact.id}`)).status, 204);
  await db.transaction((tx) => openTicket(tx, before!, 'conversation', new Date(tested.clock.now)));
  const [ticket] = await tested.rows(tickets, eq(tickets.conversationId, body.conversation_id));
  assert.equal(ticket!.contactId, null);
});

describe('the erasure of a contact during a turn', () => {
  const erase = async (id: string) => assert.equal((await tested.team('POST', `/contacts/${id}/erase`)).status, 204);
  const startConversation = async (externalId: string) => {
    const { body: contact } = await tested.api('POST', '/contacts', { external_id: externalId });
    return { id: contact.id as string, conversation_id: await conversationOf(tested, contact.id) };
  };
  const storedRows = async () => {
    const tables = [actionCalls, bookings, contacts, conversations, events, messages, submissions, tickets, toolCalls];
    return Promise.all(tables.map((table) => tested.rows(table)));
  };
  const messagesOf = async (id: string) => (await tested.api('GET', `/conversations/${id}/messages`)).body.data;

  it('ends the turn with 410, and stores no reply', async () => {
    const url_template = `${server.url}/deliver`;
    const config = { asked_by: ['Deliver the obsidian pendulum'] };
    await createAction({ name: 'deliver', kind: 'http', url_template, config });
    const { id, conversation_id } = await startConversation('erased');
    whenReceived = () => erase(id);
    const { status, error } = await tested.chat('Deliver the obsidian pendulum now', { key, conversation_id });
    assert.deepEqual([status, error.code], [410, 'conversation_expired']);
    assert.deepEqual(await messagesOf(conversation_id), []);
    assert.deepEqual(await tested.rows(actionCalls, eq(actionCalls.conversationId, conversation_id)), []);
  });

  it('lets no effect of the turn store or send anything', async () => {
    const { db } = tested.service;
    whenReceived = async () => {};
    const http = { kind: 'http', method: 'POST', url_template: `${server.url}/refund`, config: {} };
    const actions = {
      http: await createAction({ name: 'refund', ...http }),
      approved: await createAction({ name: 'approved_refund', ...http, requires_approval: true }),
      tool: await createAction({ name: 'wind', kind: 'client_tool', config: {} }),
    };
    const { id, conversation_id } = await startConversation('erased-before-effects');
    const lease = { turnHolder: 'the turn', turnUntil: new Date(tested.clock.now + 60_000) };
    const isConversation = eq(conversations.id, conversation_id);
    const [held] = await db.update(conversations).set(lease).where(isConversation).returning();
    await erase(id);
    const before = await storedRows();
    const now = () => tested.clock.now;
    const context = { db, now, encryption: createEncryption('for this test'), allowLoopback: true };
    const effects = createReplyEffects(context, held!, 'en', undefined);
    const at = new Date(now());
    const profile = { externalId: 'erased-before-effects', name: 'Salma', email: '', phone: '' };

    const identity = { profile, unproven: {} };
    const attempts: Record<string, () => Promise<unknown>> = {
      message: () => addVisitorMessage(context, held!, 'I am Salma', 'en'),
      contact: () => linkContact(context, held!, { ...identity, isProven: true }),
      claim: () => linkContact(context, held!, { ...identity, isProven: false }),
      submission: () => effects.saveSubmission(actions.tool, 'msg_1', { name: 'Salma' }),
      booking: () => effects.book(actions.tool, at, at),
      request: () => effects.runAction(actions.http, { note: 'Salma' }),
      approval: () => effects.runAction(actions.approved, { note: 'Salma' }),
      handoff: () => effects.requestHandoff(),
      tool: () => createToolCalls(db, localSignals(), now).open(held!, actions.tool, {}, new AbortController().signal),
    };
    for (const [name, attempt] of Object.entries(attempts)) {
      await assert.rejects(attempt, { errorName: 'conversation_expired' }, name);
    }
    assert.deepEqual(server.requests, []);
    assert.deepEqual(await storedRows(), before);
  });

  it('stores no part of the reply when the visitor leaves', async () => {
    const { id, conversation_id } = await startConversation('erased-and-left');
    for await (const { event } of tested.stream('When are you open?', { key, conversation_id })) {
      if (event !== 'delta') continue;
      await erase(id);
      break;
    }
    await tested.service.drain(1000);
    assert.deepEqual(await messagesOf(conversation_id), []);
  });
});
