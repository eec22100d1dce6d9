import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { eq, sql, and, inArray } from 'drizzle-orm';
import {
  actionCalls,
  actions,
  apiKeys,
  auditEntries,
  deliveries,
  events,
  idempotencyKeys,
  jobs,
  notices,
  rateCounts,
  toolCalls,
  webhookEndpoints,
  contacts,
  conversations,
  leads,
  memories,
  messages,
  submissions,
  tickets,
  workspaces,
} from '../../service/db/schema.ts';
import { addRecurringJob } from '../../service/jobs/queue.ts';
import { prune } from '../../service/db/retention.ts';
import { countExpired, eraseExpired, keepsAll } from '../../service/contacts/retention.ts';
import { queryRows } from '../../service/db/database.ts';
import { valuesOf } from '../support/values-of.ts';
import { conversationOf, submitOrder } from './scenarios.ts';
import { hour, useTestService } from './support.ts';

const tested = useTestService({ retention: { conversations: 90, contacts: 365 } });
const key = tested.secretKey;
const day = 24 * hour;
const workspaceId = 'wsp_palm_and_clay';
const db = () => tested.service.db;
const ago = (ms: number) => new Date(tested.clock.now - ms);
const run = () => prune({ db: db(), now: () => tested.clock.now });
const ids = async (table: typeof events | typeof toolCalls | typeof actionCalls | typeof notices) =>
  (await db().select({ id: table.id }).from(table)).map(({ id }) => id).toSorted();

let conversationId: string;
let actionId: string;
beforeEach(async () => {
  tested.log.length = 0;
  const { body } = await tested.chat('Hello');
  conversationId = body.conversation_id;
  actionId = (await db().select({ id: actions.id }).from(actions))[0]!.id;
  await db().delete(events);
});

const addEvent = async (id: string, age: number) => {
  const event = { id, workspaceId, type: 'lead.created', data: {}, createdAt: ago(age) } as const;
  await tested.add(events, event);
};

describe('the retention of stored rows', () => {
  it('deletes events after 30 days with their deliveries, but none with a pending delivery', async () => {
    await tested.add(webhookEndpoints, {
      id: 'whk_kept',
      workspaceId,
      url: 'https://hook.test/',
      events: [],
      encryptedSecret: '',
      createdAt: ago(0),
    });
    for (const [id, age, status] of [
      ['evt_inside', 30 * day, 'failed'],
      ['evt_outside', 30 * day + 1, 'failed'],
      ['evt_pending', 30 * day + 1, 'pending'],
    ] as const) {
      await addEvent(id, age);
      const delivery = { id: `of_${id}`, endpointId: 'whk_kept', eventId: id, status, createdAt: ago(age) };
      await tested.add(deliveries, delivery);
    }
    await addEvent('evt_without', 30 * day + 1);
    assert.equal(await run(), true);
    assert.deepEqual(await ids(events), ['evt_inside', 'evt_pending']);
    const kept = await db().select({ id: deliveries.id }).from(deliveries);
    assert.deepEqual(kept.map(({ id }) => id).toSorted(), ['of_evt_inside', 'of_evt_pending']);
    await db().delete(webhookEndpoints);
  });

  it('deletes tool calls 30 days after they expired, but no open call', async () => {
    const call = { conversationId, actionId, arguments: {}, createdAt: ago(31 * day) };
    await tested.add(toolCalls, [
      { ...call, id: 'inside', status: 'answered', expiresAt: ago(30 * day) },
      { ...call, id: 'outside', status: 'answered', expiresAt: ago(30 * day + 1) },
      { ...call, id: 'abandoned by a dead process', status: 'open', expiresAt: ago(30 * day + 1) },
      { ...call, id: 'open', status: 'open', expiresAt: ago(-1000) },
    ]);
    await run();
    assert.deepEqual(await ids(toolCalls), ['inside', 'open']);
  });

  it('deletes calls of actions after 90 days, but none that waits for a decision or a result', async () => {
    await db().delete(actionCalls);
    const call = { actionId, at: ago(90 * day + 1) };
    await tested.add(actionCalls, [
      { ...call, id: 'inside', outcome: 'worked', at: ago(90 * day) },
      { ...call, id: 'outside', outcome: 'worked' },
      { ...call, id: 'expired', outcome: 'expired' },
      { ...call, id: 'waiting', outcome: 'waiting' },
      { ...call, id: 'approved', outcome: 'approved' },
    ]);
    await run();
    assert.deepEqual(await ids(actionCalls), ['approved', 'inside', 'waiting']);
  });

  it('deletes notices after 90 days and audit entries after 365 days', async () => {
    const detail = { webhook_id: 'whk_x', url: 'https://hook.test/' };
    const notice = { workspaceId, kind: 'webhook_disabled' as const, recipient: 'a@b.example', detail };
    await tested.add(notices, [
      { ...notice, id: 'inside', createdAt: ago(90 * day) },
      { ...notice, id: 'outside', createdAt: ago(90 * day + 1) },
    ]);
    const entry = { workspaceId, action: 'lead.deleted', target: 'led_x' };
    await tested.add(auditEntries, [
      { ...entry, id: 'inside', createdAt: ago(365 * day) },
      { ...entry, id: 'outside', createdAt: ago(365 * day + 1) },
    ]);
    await run();
    assert.deepEqual(await ids(notices), ['inside']);
    assert.deepEqual(valuesOf(await tested.rows(auditEntries), 'id'), ['inside']);
  });

  it('deletes keys 90 days after they were revoked, and keeps expired keys', async () => {
    const before = (await tested.rows(apiKeys)).length;
    await tested.makeKey({ revokedAt: ago(90 * day) });
    await tested.makeKey({ revokedAt: ago(90 * day + 1) });
    await tested.makeKey({ expiresAt: ago(400 * day) });
    await run();
    assert.equal((await tested.rows(apiKeys)).length, before + 2);
  });

  it('deletes idempotency records after 24 hours, and counters of rate limits an hour after their window', async () => {
    const [key] = await tested.rows(apiKeys);
    const record = { apiKeyId: key!.id, operation: 'POST /x', bodyHash: '', holder: '', leaseUntil: ago(day) };
    await tested.add(idempotencyKeys, [
      { ...record, key: 'inside', createdAt: ago(day) },
      { ...record, key: 'outside', createdAt: ago(day + 1) },
    ]);
    await tested.add(rateCounts, [
      { bucket: 'inside', used: 1, endsAt: ago(hour) },
      { bucket: 'outside', used: 1, endsAt: ago(hour + 1) },
    ]);
    await run();
    assert.deepEqual(valuesOf(await tested.rows(idempotencyKeys), 'key'), ['inside']);
    const counts = (await tested.rows(rateCounts)).map(({ bucket }) => bucket);
    assert.deepEqual([counts.includes('inside'), counts.includes('outside')], [true, false]);
  });

  it('deletes a large number of rows in several runs', async () => {
    await db().execute(sql`insert into events (id, workspace_id, type, data, created_at)
      select 'evt_old_' || n, ${workspaceId}, 'lead.created', '{}', ${ago(31 * day).toISOString()}::timestamptz
      from generate_series(1, 4500) as n`);
    assert.equal(await run(), false);
    assert.equal((await ids(events)).length, 500);
    assert.equal(await run(), true);
    assert.deepEqual(await ids(events), []);
  });
});

describe('the job that deletes old rows', () => {
  const pruneJobs = () => tested.rows(jobs, eq(jobs.kind, 'prune'));

  it('runs every hour and stays one row', async () => {
    await tested.service.work();
    const [job, ...others] = await pruneJobs();
    assert.deepEqual(others, []);
    await addEvent('evt_old', 31 * day);
    tested.clock.now = job!.runAt.getTime() - 1;
    await tested.service.work();
    assert.deepEqual(await ids(events), ['evt_old']);
    tested.clock.now += 1;
    await tested.service.work();
    assert.deepEqual(await ids(events), []);
    const [next] = await pruneJobs();
    assert.deepEqual([next!.runAt.getTime() - tested.clock.now, next!.attempts, next!.holder], [hour, 0, null]);
  });

  it('is not added again by a process that starts later', async () => {
    const [before] = await pruneJobs();
    await addRecurringJob(db(), 'prune', ago(0));
    assert.deepEqual(await pruneJobs(), [before]);
  });
});

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

describe('the retention of conversations', () => {
  it('deletes what ended longer ago than the days, with everything written in it, and keeps the counts of usage', async () => {
    const kept = await start();
    const { conversation_id: old } = await submitOrder(tested);
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
  await conversationOf(tested, linked);
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
});
