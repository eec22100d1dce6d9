import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { eq, sql } from 'drizzle-orm';
import { saveContact } from '../../service/contacts/contacts.ts';
import { eraseExpired } from '../../service/contacts/retention.ts';
import { queryRows, type Db } from '../../service/db/database.ts';
import { lockConversations } from '../../service/db/row-locks.ts';
import { contacts, events, leads, messages, webhookEndpoints } from '../../service/db/schema.ts';
import { findPostgres, noPostgresReason } from '../support/servers/postgres.ts';
import { orderText, submitOrder } from './scenarios.ts';
import { createTestService, hour, type TestService } from './support.ts';

const server = await findPostgres();
const workspaceId = 'wsp_palm_and_clay';

/** The embedded database has one connection, so that only a server shows what concurrent transactions do. */
describe('two calls at the same time, on PostgreSQL', { skip: server ? false : noPostgresReason }, () => {
  let tested: TestService;
  let key: string;
  let secret: string;
  before(async () => {
    const { url } = await server!.database();
    tested = await createTestService({ databaseUrl: url });
    key = tested.service.demo.secretKey;
    secret = await tested.newIdentitySecret();
  });
  after(async () => {
    await tested.service.close();
    await server!.stop();
  });
  beforeEach(() => tested.nextMinute());

  const team = (method: string, path: string, body: object) => tested.callTeam(method, path, body);
  const call = (method: string, path: string, body?: object) =>
    tested.call(method, path, { key, ...(body ? { body } : {}) });
  /** Runs rounds of calls that are made at the same time, and returns the statuses of the responses. */
  const repeat = async (times: number, race: (round: number) => Promise<Promise<{ status: number }>[]>) => {
    const statuses = new Set<number>();
    for (let round = 0; round < times; round++) {
      tested.nextMinute();
      for (const { status } of await Promise.all(await race(round))) statuses.add(status);
    }
    return [...statuses].toSorted((a, b) => a - b);
  };
  const assertOnly = (allowed: number[], statuses: number[]) =>
    assert.deepEqual(
      statuses.filter((status) => !allowed.includes(status)),
      [],
    );
  /** Proves the identity of a visitor with the secret of the agent. */
  const proofOf = (of: string, user_id: string) => ({
    user_id,
    user_hash: createHmac('sha256', of).update(user_id).digest('hex'),
  });
  const contactOf = async ({ user_id }: { user_id: string }) =>
    (await call('GET', `/contacts?external_id=${user_id}`)).body.data[0];

  it('cannot give two actions the same name', async () => {
    const path = '/agents/agt_palm_and_clay/actions';
    const ids: string[] = [];
    for (const name of ['first', 'second', 'third']) ids.push((await call('POST', path, { name })).body.id);
    const statuses = await repeat(10, async (round) =>
      ids.map((id) => call('PATCH', `${path}/${id}`, { name: `round_${round}` })),
    );
    assert.deepEqual(statuses, [200, 409]);
  });

  it('can change and delete actions and sources of an agent, and index them', async () => {
    const agent = '/agents/agt_palm_and_clay';
    const leadField = { key: 'name', label_en: 'Name', kind: 'text' };
    const statuses = await repeat(10, async (round) => {
      const named = { name: `race_${round}`, config: { asked_by: ['Race'] } };
      const action = `${agent}/actions/${(await call('POST', `${agent}/actions`, named)).body.id}`;
      const text = { type: 'text', name: 'Race', text: 'The race starts at noon.' };
      const source = `${agent}/sources/${(await call('POST', `${agent}/sources`, text)).body.id}`;
      const calls = [
        call('PATCH', action, { config: { asked_by: ['Run', 'Race'] } }),
        call('PATCH', action, { description_en: 'Race' }),
        call('DELETE', action),
        call('PATCH', source, { text: 'The race starts at one.' }),
        call('DELETE', source),
        team('POST', `${agent}/lead-fields`, { fields: [leadField] }),
      ];
      await tested.service.work();
      return calls;
    });
    assertOnly([200, 202, 204, 404, 409], statuses);
    assert.ok(!tested.log.some(({ event }) => event === 'job_failure'));
  });

  it('can delete a batch of questions while it is imported again', async () => {
    const path = '/agents/agt_palm_and_clay/sources';
    const items = Array.from({ length: 50 }, (_, at) => ({ question: `Question ${at}?`, answer: 'Yes.' }));
    const load = () => call('POST', `${path}/questions`, { name: 'Race', items });
    const statuses = await repeat(40, async (round) => {
      const { id } = (await load()).body;
      const importing = load();
      await new Promise((resolve) => setTimeout(resolve, (round % 16) * 2));
      return [importing, call('DELETE', `${path}/${id}`)];
    });
    assertOnly([201, 204, 404, 409], statuses);
  });

  it('can delete a contact while the visitor writes', async () => {
    const statuses = await repeat(10, async (round) => {
      const contact = proofOf(secret, `racer-${round}`);
      const { conversation_id } = (await tested.chat('I want a custom order', { key, contact })).body;
      const { id } = await contactOf(contact);
      const form = orderText({ Phone: `9222330${round}`, Email: `r${round}@d.example` });
      return [
        tested.chat(form, { key, contact, conversation_id }),
        call('DELETE', `/contacts/${id}`),
        team('POST', `/conversations/${conversation_id}/reply`, { text: 'Hello' }),
      ];
    });
    assertOnly([200, 201, 204], statuses);
  });

  /** Resolves when transactions wait for another one, or when `call` has settled without waiting. */
  const untilWaiting = async (call: Promise<unknown>, transactions = 1): Promise<void> => {
    let isSettled = false;
    void call.catch(() => {}).then(() => (isSettled = true));
    const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    const isOver = async () => isSettled || (await queryRows(tested.service.db, waiting)).length >= transactions;
    while (!(await isOver()));
  };

  it('erases what a contact has written in another conversation before the erasure has its locks', async () => {
    const contact = proofOf(secret, 'writer');
    const first = (await tested.chat('Hello', { key, contact })).body.conversation_id;
    const { id } = await contactOf(contact);
    let erasing: Promise<{ status: number }> | undefined;
    const second = await tested.service.db.transaction(async (tx) => {
      await lockConversations(tx, [first]);
      erasing = team('POST', `/contacts/${id}/erase`, {});
      await untilWaiting(erasing);
      return (await tested.chat('My pin is 4711', { key, contact })).body.conversation_id;
    });
    assert.equal((await erasing)!.status, 204);
    assert.deepEqual(await tested.rows(messages, eq(messages.conversationId, second)), []);
  });

  it('leaves nothing of a deleted contact in the event of a lead that is changed meanwhile', async () => {
    const { db } = tested.service;
    const contact = proofOf(secret, 'leader');
    const order = orderText({ Phone: '92220011', Email: 'leader@d.example' });
    const { conversation_id } = await submitOrder(tested, order, { contact });
    const [lead] = await tested.rows(leads, eq(leads.conversationId, conversation_id));
    const endpoint = { url: 'https://93.184.216.34/x', events: ['lead.updated'] };
    const { id } = (await call('POST', '/webhooks', endpoint)).body;
    let calls: Promise<{ status: number }>[] = [];
    await db.transaction(async (tx) => {
      await tx.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id)).for('update');
      calls = [call('PATCH', `/leads/${lead!.id}`, { notes: 'Calls at noon' })];
      await untilWaiting(calls[0]!);
      calls.push(call('DELETE', `/contacts/${lead!.contactId}`));
      await untilWaiting(calls[1]!, 2);
    });
    assert.deepEqual(
      (await Promise.all(calls)).map(({ status }) => status),
      [200, 204],
    );
    const changed = await tested.rows(events, eq(events.type, 'lead.updated'));
    assert.deepEqual([changed.length, changed[0]!.data['notes']], [1, null]);
  });

  it('finds a contact by the address of an old one that is deleted meanwhile', async () => {
    const { db } = tested.service;
    const save = (tx: Db, externalId: string) => {
      const profile = { externalId, email: 'shared@d.example' };
      return saveContact(tx, profile, { workspaceId, agentId: null, source: 'api', at: new Date(tested.clock.now) });
    };
    await db.transaction((tx) => save(tx, 'old'));
    tested.clock.now += 40 * 24 * hour;
    let erasing = Promise.resolve(false);
    const id = await db.transaction(async (tx) => {
      const { contact } = await save(tx, 'new');
      const context = { db, now: () => tested.clock.now, log: () => {} };
      erasing = eraseExpired(context, { conversations: 0, contacts: 30 });
      await untilWaiting(erasing);
      return contact.id;
    });
    await erasing;
    const [kept] = await tested.rows(contacts, eq(contacts.id, id));
    assert.equal(kept?.emailKey, 'shared@d.example');
  });

  it('can replace the ticket fields, the tag rules and the lead fields', async () => {
    const field = { key: 'size', label: 'Size', kind: 'text' };
    const leadField = { key: 'name', label_en: 'Name', kind: 'text' };
    const statuses = await repeat(5, async () =>
      [1, 2, 3].flatMap(() => [
        team('POST', '/ticket-fields', { fields: [field] }),
        team('POST', '/tag-rules', { rules: [{ words: 'cup', tag: 'cup' }] }),
        team('POST', '/agents/agt_palm_and_clay/lead-fields', { fields: [leadField] }),
      ]),
    );
    assert.deepEqual(statuses, [200]);
  });

  it('can change a webhook endpoint while it is deleted', async () => {
    const endpoint = { url: 'https://93.184.216.34/x', events: ['lead.created'] };
    const statuses = await repeat(60, async () => {
      const path = `/webhooks/${(await call('POST', '/webhooks', endpoint)).body.id}`;
      return [
        call('DELETE', path),
        team('PATCH', path, { enabled: false }),
        team('PATCH', path, { enabled: true }),
        team('POST', `${path}/test`, {}),
      ];
    });
    assertOnly([200, 202, 204, 404], statuses);
  });

  it('can close a ticket while the visitor and the team write', async () => {
    const statuses = await repeat(12, async () => {
      const { conversation_id } = (await tested.chat('I want to talk to a human', { key })).body;
      const [ticket] = (await call('GET', '/tickets?limit=1')).body.data;
      assert.equal(ticket.conversation_id, conversation_id);
      return [
        call('PATCH', `/tickets/${ticket.id}`, { status: 'closed' }),
        team('POST', `/conversations/${conversation_id}/reply`, { text: 'Hello' }),
        tested.chat('Are you there?', { key, conversation_id }),
        team('PATCH', `/tickets/${ticket.id}`, { priority: 'high' }),
      ];
    });
    assert.deepEqual(statuses, [200, 201]);
  });
});
