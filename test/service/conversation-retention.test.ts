import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { countExpired, eraseExpired, keepsAll } from '../../service/contacts/retention.ts';
import { queryRows } from '../../service/db/database.ts';
import {
  contacts,
  conversations,
  events,
  leads,
  memories,
  messages,
  submissions,
  tickets,
  workspaces,
} from '../../service/db/schema.ts';
import { hour, useTestService } from './support.ts';
import { valuesOf } from '../support/values-of.ts';

const tested = useTestService({ retention: { conversations: 90, contacts: 365 } });
const key = tested.secretKey;
const day = 24 * hour;
const workspaceId = 'wsp_palm_and_clay';
const db = () => tested.service.db;
const context = () => ({
  db: db(),
  now: () => tested.clock.now,
  log: (entry: object) => void tested.log.push(entry as never),
});
const erase = (days = { conversations: 90, contacts: 365 }) => eraseExpired(context(), days);
const team = (method: string, path: string, body?: object) => tested.callTeam(method, path, body);
const rowsOf = async (table: typeof messages | typeof submissions | typeof tickets, id: string) =>
  tested.rows(table, eq(table.conversationId, id));
const ages = (days: number, ...ids: string[]) =>
  db().execute(sql`update conversations set started_at = started_at - ${days}::int * interval '1 day',
    expires_at = expires_at - ${days}::int * interval '1 day', last_message_at = last_message_at - ${days}::int * interval '1 day'
    where ${inArray(conversations.id, ids)}`);
const isStored = async (id: string) => (await tested.rows(conversations, eq(conversations.id, id))).length === 1;
const start = async (text = 'When are you open?') => (await tested.chat(text, { key })).body.conversation_id;

let serial = 0;
const addContact = async (age: number) => {
  const { body } = await tested.api('POST', '/contacts', { email: `old-${++serial}@c.example` });
  const at = new Date(tested.clock.now - age);
  await tested.set(contacts, { lastSeenAt: at, updatedAt: at }, eq(contacts.id, body.id));
  return String(body.id);
};
const contactIds = async () => (await db().select({ id: contacts.id }).from(contacts)).map(({ id }) => id);

beforeEach(() => {
  tested.log.length = 0;
});

describe('the retention of conversations', () => {
  it('deletes what ended longer ago than the days, with everything written in it, and keeps the counts of usage', async () => {
    const kept = await start();
    const old = await start('I want a custom order');
    const form = 'Name: Huda\nPhone: 92223301\nEmail: huda@d.example\nWhat to make: Tiles\nHow many: 7';
    await tested.chat(form, { key, conversation_id: old });
    const usage = (await tested.api('GET', '/usage')).body;
    // A conversation lasts a day, so the first has ended 90 days ago, and the second a moment longer.
    await ages(91, kept, old);
    tested.clock.now += 1;
    await db().execute(
      sql`update conversations set expires_at = ${new Date(tested.clock.now - 90 * day).toISOString()}::timestamptz where id = ${kept}`,
    );
    const due = (await team('GET', '/retention')).body;
    assert.deepEqual([due.conversation_retention_days, due.contact_retention_days], [90, 365]);
    assert.deepEqual([due.due.conversations, due.due.messages, due.due.submissions], [1, 4, 1]);
    assert.ok(await isStored(old), 'a preview deletes nothing');
    assert.equal(await erase(), true);
    assert.deepEqual([await isStored(kept), await isStored(old)], [true, false]);
    assert.equal((await tested.rows(messages, eq(messages.conversationId, old))).length, 0);
    assert.equal((await tested.rows(submissions)).length, 0);
    const [lead] = await tested.rows(leads);
    assert.deepEqual([lead!.name, lead!.conversationId], ['Huda', null], 'a lead stays');
    assert.deepEqual((await tested.api('GET', '/usage')).body, usage);
    const entry = tested.log.find(({ event }) => event === 'retention')!;
    assert.deepEqual([entry['conversations'], entry['messages'], entry['submissions']], [1, 4, 1]);
    assert.ok(!JSON.stringify(entry).includes('huda'));
  });

  it('counts in the preview what it then deletes', async () => {
    const id = await start('I want to talk to a human');
    await ages(3, id);
    await tested.set(tickets, { status: 'closed', updatedAt: new Date(tested.clock.now - 3 * day) });
    const days = { conversations: 1, contacts: 1 };
    const counted = await countExpired(context(), workspaceId, days);
    await erase(days);
    const {
      level: _,
      event: __,
      workspace_id: ___,
      ...deleted
    } = tested.log.find(({ event }) => event === 'retention')!;
    assert.deepEqual(deleted, Object.fromEntries(Object.entries(counted).filter(([, total]) => total > 0)));
    assert.ok(Number(deleted['events']) > 0 && Number(deleted['tickets']) === 1);
    const left = await tested.rows(events, sql`${events.data} ->> 'conversation_id' = ${id}`);
    assert.deepEqual(left, []);
  });

  it('keeps a conversation whose ticket is open, or was closed later', async () => {
    const open = await start('I want to talk to a human');
    await ages(100, open);
    await erase();
    assert.equal((await rowsOf(tickets, open)).length, 1);
    const isTicket = eq(tickets.conversationId, open);
    await tested.set(tickets, { status: 'closed', updatedAt: new Date(tested.clock.now - 89 * day) }, isTicket);
    await erase();
    assert.ok(await isStored(open));
    await tested.set(tickets, { updatedAt: new Date(tested.clock.now - 91 * day) }, isTicket);
    await erase();
    assert.deepEqual([await isStored(open), (await rowsOf(tickets, open)).length], [false, 0]);
  });

  it('deletes the notes of contacts that are as old', async () => {
    const contactId = await addContact(0);
    const note = { contactId, agentId: tested.agentId, summary: 'Asked: tiles' };
    await tested.add(memories, [
      { ...note, id: 'rem_new', createdAt: new Date(tested.clock.now - 89 * day) },
      { ...note, id: 'rem_old', createdAt: new Date(tested.clock.now - 91 * day) },
    ]);
    await erase();
    assert.deepEqual(valuesOf(await tested.rows(memories), 'id'), ['rem_new']);
  });

  it('deletes many in small batches, and leaves the rest for the next run', async () => {
    const { agentId } = tested;
    await db()
      .execute(sql`insert into conversations (id, workspace_id, agent_id, channel, state, language, started_at, expires_at)
      select 'cnv_old_' || n, ${workspaceId}, ${agentId}, 'api', 'closed', 'en', ${new Date(0).toISOString()}::timestamptz,
        ${new Date(day).toISOString()}::timestamptz from generate_series(1, 1010) as n`);
    const left = () => db().$count(conversations, and(eq(conversations.agentId, agentId), sql`id like 'cnv_old_%'`));
    assert.deepEqual([await erase(), await left()], [false, 10]);
    assert.deepEqual([await erase(), await left()], [true, 0]);
  });

  it('is off by default, and runs every hour when the setting is on', async () => {
    const id = await start();
    await ages(400, id);
    await eraseExpired(context(), keepsAll);
    assert.ok(await isStored(id));
    tested.clock.now += hour;
    await tested.service.work();
    assert.ok(!(await isStored(id)));
  });
});

it('the retention of contacts deletes contacts without a conversation, lead or ticket that were last seen before', async () => {
  const [inside, outside, linked] = [
    await addContact(365 * day),
    await addContact(365 * day + 1),
    await addContact(400 * day),
  ];
  await tested.set(conversations, { contactId: linked }, eq(conversations.id, await start()));
  assert.equal((await team('GET', '/retention')).body.due.contacts, 1);
  await erase();
  const left = await contactIds();
  assert.deepEqual(
    [inside, outside, linked].map((id) => left.includes(id)),
    [true, false, true],
  );
});

it('the retention of contacts deletes few at once, because calls that save a contact of the workspace wait meanwhile', async () => {
  for (let old = 0; old < 12; old++) await addContact(400 * day);
  await db().execute(sql`create table deletions (transaction bigint)`);
  await db().execute(sql`create function note_deletion() returns trigger language plpgsql as
    'begin insert into deletions values (txid_current()); return null; end'`);
  await db().execute(
    sql`create trigger note_deletion after delete on contacts for each row execute function note_deletion()`,
  );
  await erase();
  await db().execute(sql`drop function note_deletion cascade`);
  const counted = await queryRows<{ total: number }>(
    db(),
    sql`select count(*)::int as total from deletions group by transaction`,
  );
  assert.equal(Math.max(...counted.map(({ total }) => total)), 5);
});

it('the days of a workspace win over those of the service, are recorded, and can be removed', async () => {
  const id = await start();
  await ages(100, id);
  const changed = await team('PATCH', '/workspace', { conversation_retention_days: 0, contact_retention_days: 30 });
  assert.deepEqual(
    [changed.status, changed.body.conversation_retention_days, changed.body.contact_retention_days, changed.body.plan],
    [200, 0, 30, 'business'],
  );
  await erase();
  assert.ok(await isStored(id));
  const asked = (await team('GET', '/retention?conversation_retention_days=98')).body;
  assert.equal(asked.due.conversations, 1, 'the preview of other days');
  assert.equal(asked.contact_retention_days, 30);
  await team('PATCH', '/workspace', { conversation_retention_days: null, contact_retention_days: null });
  assert.deepEqual(
    await db()
      .select()
      .from(workspaces)
      .then(([row]) => row!.conversationRetentionDays),
    null,
  );
  const { data } = (await team('GET', '/audit-log')).body;
  assert.ok(
    data.some(({ action, detail }: any) => action === 'workspace.contact_retention_changed' && detail.after === 30),
  );
  for (const wrong of [-1, 1.5, 36_501, '90']) {
    assert.equal(
      (await team('PATCH', '/workspace', { conversation_retention_days: wrong })).status,
      422,
      String(wrong),
    );
  }
});
