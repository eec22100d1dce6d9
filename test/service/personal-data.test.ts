/** What an export contains is what an erasure deletes. The rows of all tables are compared, so a new table is found. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { eq, sql } from 'drizzle-orm';
import { strFromU8, unzipSync } from 'fflate';
import { createEncryption } from '../../service/core/encryption.ts';
import { queryRows } from '../../service/db/database.ts';
import {
  actionCalls,
  actions,
  bookings,
  conversations,
  memories,
  toolCalls,
  webhookEndpoints,
} from '../../service/db/schema.ts';
import { orderText } from './scenarios.ts';
import { useTestService } from './support.ts';

const encryptionKey = 'the key of the exports';
const tested = useTestService({ encryptionKey });
const key = tested.secretKey;
const db = () => tested.service.db;

type Row = Record<string, any>;

/** Rows that the database derives from others, and the state of sending an event, which is in the export. */
const derived = ['contact_agents', 'ticket_tags', 'deliveries'];
/** What the erasure itself stores. */
const recorded = ['audit_entries', 'rate_counts', 'jobs'];

/** Returns every row of every table by a text that identifies it. */
const allRows = async (): Promise<Map<string, string>> => {
  const tables = await queryRows<{ name: string }>(
    db(),
    sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  const rows = new Map<string, string>();
  for (const { name } of tables) {
    if (recorded.includes(name)) continue;
    const found = await queryRows<{ row: Row }>(
      db(),
      sql`select to_jsonb(each) as row from ${sql.identifier(name)} as each`,
    );
    for (const { row } of found) rows.set(`${name} ${identity(name, row)}`, JSON.stringify(row));
  }
  return rows;
};

const identity = (table: string, row: Row): string => {
  // An export leaves out the Idempotency-Key and the API key.
  if (table === 'idempotency_keys') return `${row['operation']} ${Date.parse(row['created_at'])}`;
  if ('id' in row) return String(row['id']);
  return JSON.stringify(row);
};

const tables: Record<string, string> = {
  contact: 'contacts',
  claims: 'conversations',
  notes: 'memories',
  saved_responses: 'idempotency_keys',
};

/** Has a visitor write, submit a form, book, ask for a person and use tools, and returns the contact. */
const leaveTraces = async (): Promise<{ id: string; conversationId: string }> => {
  const headers = { 'idempotency-key': 'the first message' };
  const { body } = await tested.chat('I want a custom order', { key, headers });
  const conversationId = body.conversation_id;
  const text = orderText({ Name: 'Huda <Al> Amri', Phone: '92223301', Email: 'huda@d.example', 'How many': 7 });
  await tested.chat(text, { key, conversation_id: conversationId });
  await tested.chat('I want to talk to a human', { key, conversation_id: conversationId });
  const [contact] = (await tested.api('GET', '/contacts?email=huda@d.example')).body.data;
  const at = new Date(tested.clock.now);
  const [action] = await tested.rows(actions);
  const of = { conversationId, actionId: action!.id };
  const encryptedArguments = createEncryption(encryptionKey).encrypt('{"street":"Rose Lane 4"}');
  const summary = 'Asked: Tiles for Rose Lane';
  await tested.set(conversations, { contactId: contact.id, summary }, eq(conversations.id, conversationId));
  const claimed = (await tested.chat('Hello', { key })).body.conversation_id;
  await tested.set(conversations, { claim: { email: 'HUDA@d.example' } }, eq(conversations.id, claimed));
  await tested.add(actionCalls, { ...of, id: 'call_x', outcome: 'waiting', at, encryptedArguments });
  await tested.add(toolCalls, {
    ...of,
    id: 'call_t',
    arguments: { reference: 'AB1' },
    status: 'answered',
    createdAt: at,
    expiresAt: at,
  });
  await tested.add(bookings, { ...of, id: 'bkg_x', startsAt: at, endsAt: at, createdAt: at });
  await tested.add(memories, {
    id: 'rem_x',
    contactId: contact.id,
    agentId: tested.agentId,
    summary,
    createdAt: at,
  });
  return { id: contact.id, conversationId };
};

const exportOf = async (id: string, language = 'en') => {
  const response = await tested.team('POST', `/contacts/${id}/export`, { headers: { 'accept-language': language } });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'application/zip');
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)]));
};

const sectionsOf = (files: Record<string, string>): [string, Row[]][] =>
  Object.entries(files).flatMap(([name, text]): [string, Row[]][] =>
    name.endsWith('.json') ? [[name.replace('.json', ''), JSON.parse(text)]] : [],
  );

describe("the export of a person's data", () => {
  let contact: { id: string; conversationId: string };
  before(async () => {
    const endpoint = { id: 'whk_x', workspaceId: 'wsp_palm_and_clay', url: 'https://hook.test/', encryptedSecret: '' };
    const events = ['message.created' as const, 'lead.created' as const];
    await tested.add(webhookEndpoints, { ...endpoint, events, createdAt: new Date(tested.clock.now) });
    contact = await leaveTraces();
  });

  it('has rows of every kind, without secrets, and with the inputs of a call that waits', async () => {
    const sections = sectionsOf(await exportOf(contact.id));
    for (const [name, rows] of sections) assert.ok(rows.length > 0, name);
    const text = JSON.stringify(sections);
    assert.ok(text.includes('Rose Lane 4'));
    for (const secret of ['token_hash', 'sealed', 'encrypted']) assert.ok(!text.includes(secret), secret);
  });

  it('has no inputs of a call that were encrypted with a key that is lost', async () => {
    const of = { conversationId: contact.conversationId, actionId: (await tested.rows(actions))[0]!.id };
    const encryptedArguments = createEncryption('the lost key').encrypt('{"street":"Rose Lane 5"}');
    const at = new Date(tested.clock.now);
    await tested.add(actionCalls, { ...of, id: 'call_lost', outcome: 'waiting', at, encryptedArguments });
    const calls = JSON.parse((await exportOf(contact.id))['action_calls.json']!) as Row[];
    assert.equal(calls.find(({ id }) => id === 'call_lost')!['arguments'], null);
  });

  it('has a page to read in the language of the request, in which texts of the person are text', async () => {
    const english = (await exportOf(contact.id))['index.html']!;
    assert.match(english, /<html lang="en" dir="ltr">[^]*<h2>Messages \(\d+\)/);
    assert.ok(english.includes('Huda &lt;Al&gt; Amri') && !english.includes('<Al>'));
    const arabic = (await exportOf(contact.id, 'ar'))['index.html']!;
    assert.match(arabic, /<html lang="ar" dir="rtl">[^]*<h2>الرسائل \(\d+\)/);
  });

  it('is recorded in the audit log, and is for the owner only', async () => {
    const { data } = (await (await tested.team('GET', '/audit-log')).json()) as { data: Row[] };
    assert.deepEqual([data[0]!['action'], data[0]!['target']], ['contact.exported', contact.id]);
    const limited = await tested.makeKey({ scopes: ['contacts:read', 'contacts:write'] });
    const path = `/contacts/${contact.id}/export`;
    assert.equal((await tested.team('POST', path, { key: limited })).status, 403);
    assert.equal((await tested.team('POST', '/contacts/con_none/export')).status, 404);
  });

  it('contains exactly the rows that an erasure deletes or empties', async () => {
    const exported = sectionsOf(await exportOf(contact.id)).flatMap(([section, rows]) => {
      const table = tables[section] ?? section;
      return rows.map((row) => `${table} ${identity(table, row)}`);
    });
    const used = async () => (await tested.api('GET', '/usage')).body.pool.used;
    const [before, quota] = [await allRows(), await used()];
    const erase = () => tested.team('POST', `/contacts/${contact.id}/erase`);
    assert.deepEqual([(await erase()).status, await used(), (await erase()).status], [204, quota, 404]);
    const after = await allRows();
    const erased = [...before].filter(([row, value]) => after.get(row) !== value).map(([row]) => row);
    const own = erased.filter((row) => !derived.includes(row.split(' ')[0]!));
    assert.deepEqual(own.toSorted(), exported.toSorted());
    const rest = [...after].filter(([, value]) => /huda|92223301|Rose Lane/i.test(value));
    assert.deepEqual(rest, []);
  });
});
