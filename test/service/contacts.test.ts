import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { eq, sql } from 'drizzle-orm';
import { SignJWT, UnsecuredJWT } from 'jose';
import {
  contacts,
  conversations,
  events,
  identitySecrets,
  leadFields,
  leads,
  memories,
  topUps,
  workspaces,
} from '../../service/db/schema.ts';
import { rotateIdentitySecret } from '../../service/contacts/identity.ts';
import { createEncryption } from '../../service/core/encryption.ts';
import { hour, createTestService, type TestService } from './support.ts';

let tested: TestService;
let key: string;
process.env['WORKSPACE_SEAL_KEY'] = 'for this test';
before(async () => {
  tested = await createTestService();
  key = tested.service.demo.secretKey;
});
after(() => tested.service.close());
beforeEach(() => tested.nextMinute());

let serial = 0;
const fresh = () => `u${++serial}`;
const save = (body: object, headers = {}) => tested.call('POST', '/contacts', { key, body, headers });
const read = async (id: string) => (await tested.call('GET', `/contacts/${id}`, { key })).body;
const createdEvents = async (id: string) =>
  (await tested.service.db.select().from(events).where(eq(events.type, 'contact.created'))).filter(
    ({ data }) => data['id'] === id,
  );

describe('a contact', () => {
  it('new answers 201 and says where it is, known answers 200 and is written over', async () => {
    const id = fresh();
    const made = await save({
      external_id: id,
      name: 'Aisha',
      email: `${id}@Example.com`,
      attributes: { plan: 'a', n: 1 },
    });
    assert.equal(made.status, 201);
    assert.equal(made.headers.get('location'), `/api/v2/contacts/${made.body.id}`);
    assert.equal(made.body.source, 'api');
    assert.equal(made.body.marketing_status, 'not_subscribed');
    const again = await save({ email: `${id}@EXAMPLE.com`, name: '', attributes: { plan: null, vip: true } });
    assert.equal(again.status, 200);
    assert.equal(again.body.id, made.body.id);
    assert.equal(again.body.name, 'Aisha');
    assert.deepEqual(again.body.attributes, { n: 1, vip: true });
    assert.equal((await createdEvents(made.body.id)).length, 1);
    const replay = { 'idempotency-key': id };
    const [first, second] = [
      await save({ phone: '+1 555 0100' }, replay),
      await save({ phone: '+1 555 0100' }, replay),
    ];
    assert.deepEqual([first.status, second.status, second.body.id], [201, 201, first.body.id]);
  });

  it('is found by e-mail in any casing, phone however written, and external id', async () => {
    const id = fresh();
    const { body } = await save({ external_id: id, email: `${id}@shop.example`, phone: '+968 9123-4567' });
    for (const query of [
      `email=${id.toUpperCase()}@SHOP.example`,
      `phone=${encodeURIComponent('00968 (9123) 4567')}`,
      `phone=${encodeURIComponent('٩٦٨٩١٢٣٤٥٦٧')}`,
      `external_id=${id}`,
    ]) {
      const { body: found } = await tested.call('GET', `/contacts?${query}`, { key });
      assert.deepEqual(found.data, [body], query);
    }
    const { body: verified } = await tested.call('GET', '/contacts?verified=true', { key });
    assert.ok(!verified.data.some((contact: any) => contact.id === body.id));
  });

  it('keeps another’s e-mail for reading only', async () => {
    const [one, two] = [fresh(), fresh()];
    const first = await save({ external_id: one, email: `${one}@a.example` });
    const second = await save({ external_id: two, email: `${one}@a.example` });
    assert.equal(second.status, 201);
    assert.equal(second.body.email, `${one}@a.example`);
    const { body } = await tested.call('GET', `/contacts?email=${one}@a.example`, { key });
    assert.deepEqual(
      body.data.map(({ id }: any) => id),
      [first.body.id],
    );
  });

  it('saved at once by many calls is one', async () => {
    const id = fresh();
    const all = await Promise.all(Array.from({ length: 5 }, () => save({ email: `${id}@b.example` })));
    assert.equal(new Set(all.map(({ body }) => body.id)).size, 1);
    assert.equal(all.filter(({ status }) => status === 201).length, 1);
  });

  it('is changed by what is sent alone; an empty e-mail clears it', async () => {
    const id = fresh();
    const { body } = await save({ external_id: id, email: `${id}@c.example`, attributes: { a: 'x', b: 'y' } });
    const path = `/contacts/${body.id}`;
    const changed = await tested.call('PATCH', path, {
      key,
      body: { email: '', attributes: { a: null }, locale: 'ar' },
    });
    assert.deepEqual([changed.body.email, changed.body.locale, changed.body.attributes], ['', 'ar', { b: 'y' }]);
    assert.equal(changed.body.external_id, id);
    const other = await save({ email: `${id}@c.example` });
    assert.equal(other.status, 201);
    const taken = await tested.call('PATCH', path, { key, body: { email: `${id}@c.example` } });
    assert.deepEqual([taken.status, taken.error.code, taken.error.details], [409, 'conflict', 'contact_exists']);
  });

  it('who unsubscribed is not given consent again, and the rest is saved all the same', async () => {
    const { body } = await save({ external_id: fresh(), consent_marketing: true });
    assert.equal(body.marketing_status, 'subscribed');
    assert.ok(body.consent_marketing_at);
    const path = `/contacts/${body.id}`;
    const withdrawn = await tested.call('PATCH', path, { key, body: { consent_marketing: false } });
    assert.deepEqual([withdrawn.body.marketing_status, withdrawn.body.consent_marketing_at], ['not_subscribed', null]);
    const { db } = tested.service;
    for (const marketingStatus of ['unsubscribed', 'bounced', 'complained'] as const) {
      await db.update(contacts).set({ marketingStatus }).where(eq(contacts.id, body.id));
      const saved = await save({ external_id: body.external_id, name: marketingStatus, consent_marketing: true });
      assert.deepEqual([saved.body.name, saved.body.marketing_status], [marketingStatus, marketingStatus]);
      const refused = await tested.call('PATCH', path, { key, body: { consent_marketing: true, name: 'X' } });
      assert.deepEqual([refused.status, refused.error.details], [409, 'marketing_suppressed']);
      assert.equal((await read(body.id)).name, marketingStatus);
    }
  });

  for (const [what, body] of [
    ['nothing to find it by', { name: 'Aisha' }],
    ['an e-mail that is none', { email: 'aisha' }],
    ['an attribute in capitals', { external_id: 'x', attributes: { Plan: 'a' } }],
    ['a nested attribute', { external_id: 'x', attributes: { plan: {} } }],
    ['a long attribute', { external_id: 'x', attributes: { plan: 'a'.repeat(201) } }],
    [
      '21 attributes',
      { external_id: 'x', attributes: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`a${at}`, 1])) },
    ],
  ] as const) {
    it(`with ${what} is refused`, async () => assert.equal((await save(body)).status, 422));
  }

  it('deleted takes memories and leads along, leaves conversations, and needs leads:write for leads', async () => {
    const { db } = tested.service;
    const { body } = await tested.chat('I want a custom order', { key });
    const email = `${fresh()}@d.example`;
    const text = `Name: Huda\nPhone: 92223333\nEmail: ${email}\nWhat to make: Tiles\nHow many: 1`;
    await tested.chat(text, { key, conversation_id: body.conversation_id });
    const [contact] = (await tested.call('GET', `/contacts?email=${email}`, { key })).body.data;
    assert.deepEqual([contact.source, contact.verified, contact.name], ['lead', false, 'Huda']);
    assert.deepEqual(await createdEvents(contact.id), []);
    const at = new Date(tested.clock.now);
    await db
      .insert(memories)
      .values({ id: 'rem_1', contactId: contact.id, agentId: tested.agentId, summary: 's', createdAt: at });
    const path = `/contacts/${contact.id}`;
    const writer = await tested.makeKey({ scopes: ['contacts:write'] });
    const refused = await tested.call('DELETE', path, { key: writer });
    assert.deepEqual([refused.status, refused.error.required_scope], [403, 'leads:write']);
    assert.equal((await read(contact.id)).id, contact.id);
    assert.equal((await tested.call('DELETE', path, { key })).status, 204);
    assert.equal((await tested.call('GET', path, { key })).status, 404);
    assert.deepEqual(await db.select().from(memories), []);
    assert.deepEqual(await db.select().from(leads).where(eq(leads.contactId, contact.id)), []);
    assert.equal((await tested.call('GET', `/conversations/${body.conversation_id}`, { key })).status, 200);
  });

  it('is narrowed for a key limited to some agents, which can neither make nor delete one', async () => {
    const { body } = await save({ external_id: fresh() });
    const scopes = ['contacts:read', 'contacts:write', 'leads:write'] as const;
    const limited = await tested.makeKey({ scopes: [...scopes], agentIds: [tested.agentId] });
    assert.equal((await tested.call('GET', `/contacts/${body.id}`, { key: limited })).status, 404);
    for (const [method, path] of [
      ['POST', '/contacts'],
      ['DELETE', `/contacts/${body.id}`],
    ] as const) {
      const sent = method === 'POST' ? { body: { external_id: 'z' } } : {};
      const { status, error } = await tested.call(method, path, { key: limited, ...sent });
      assert.deepEqual([status, error.code, error.details], [403, 'insufficient_scope', 'agent_allowlist']);
    }
    const chat = await tested.chat('Hello', { key });
    await tested.service.db
      .update(conversations)
      .set({ contactId: body.id })
      .where(eq(conversations.id, chat.body.conversation_id));
    assert.equal((await tested.call('GET', `/contacts/${body.id}`, { key: limited })).status, 200);
  });

  it('is listed by when it was last seen, page by page', async () => {
    for (let at = 0; at < 5; at++) {
      tested.clock.now += 1000;
      await save({ external_id: fresh() });
    }
    const { body: first } = await tested.call('GET', '/contacts?limit=3', { key });
    const { body: next } = await tested.call('GET', `/contacts?limit=3&cursor=${first.next_cursor}`, { key });
    const seen = [...first.data, ...next.data].map((contact: any) => String(contact.last_seen_at));
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => b.localeCompare(a)),
    );
    assert.equal(new Set([...first.data, ...next.data].map(({ id }: any) => id)).size, 6);
  });
});

describe('a visitor’s identity', () => {
  const secret = 'a secret of the agent, long enough';
  const seconds = () => Math.floor(tested.clock.now / 1000);
  const rotate = (to: string, endPrevious = false) =>
    rotateIdentitySecret(
      { db: tested.service.db, now: () => tested.clock.now, encryption: createEncryption('for this test') },
      { agentId: tested.agentId, secret: to, endPrevious },
    );
  const token = async (claims: object, { by = secret, alg = 'HS256' } = {}) => {
    return new SignJWT({ exp: seconds() + 3600, ...claims })
      .setProtectedHeader({ alg })
      .sign(new TextEncoder().encode(alg === 'HS256' ? by : by.padEnd(64, '.')));
  };
  const hash = (id: string, by = secret) => createHmac('sha256', by).update(id).digest('hex');
  const row = async (id: string) =>
    (await tested.service.db.select().from(conversations).where(eq(conversations.id, id)))[0]!;
  const say = async (contact: any, more: object = {}) => tested.chat('Hello', { contact, ...more });

  it('without a secret is a claim that nothing trusts', async () => {
    await tested.service.db.delete(identitySecrets);
    for (const contact of [{ token: 'junk' }, { user_id: 'u', user_hash: 'nope', name: 'Eve' }]) {
      const { status, body } = await say(contact);
      assert.equal(status, 200);
      const { contactId, claim } = await row(body.conversation_id);
      assert.equal(contactId, null);
      assert.ok(claim);
    }
  });

  it('by token makes a verified contact of the conversation', async () => {
    await rotate(secret);
    const sub = fresh();
    const { status, body } = await say({ token: await token({ sub, name: 'Aisha', email: `${sub}@e.example` }) });
    assert.equal(status, 200);
    const contact = await read((await row(body.conversation_id)).contactId!);
    assert.deepEqual(
      [contact.external_id, contact.name, contact.verified, contact.source],
      [sub, 'Aisha', true, 'identify'],
    );
    assert.equal((await createdEvents(contact.id)).length, 1);
  });

  it('by hash proves the id only: what stands beside it is shown and never matched', async () => {
    const email = `${fresh()}@f.example`;
    const owner = (await save({ email })).body;
    const user_id = fresh();
    const { body } = await say({ user_id, user_hash: hash(user_id), email, name: 'Eve' });
    const { contactId, claim } = await row(body.conversation_id);
    assert.notEqual(contactId, owner.id);
    assert.equal((await read(contactId!)).email, '');
    assert.deepEqual(claim, { email, name: 'Eve' });
  });

  it('that does not verify is refused and nothing of it is kept', async () => {
    const sub = fresh();
    const refused = {
      'another secret': { token: await token({ sub }, { by: 'another secret' }) },
      'another algorithm': { token: await token({ sub }, { alg: 'HS512' }) },
      none: { token: new UnsecuredJWT({ sub, exp: seconds() + 60 }).encode() },
      'no sub': { token: await token({}) },
      'no exp': { token: await token({ sub, exp: undefined }) },
      'expired 61 seconds ago': { token: await token({ sub, exp: seconds() - 61 }) },
      'valid for more than a day': { token: await token({ sub, exp: seconds() + 86_401 }) },
      'made for more than a day': { token: await token({ sub, iat: seconds() - 86_000, exp: seconds() + 3600 }) },
      '21 attributes': {
        token: await token({
          sub,
          attributes: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`a${at}`, 1])),
        }),
      },
      'a long attribute': { token: await token({ sub, attributes: { a: 'x'.repeat(201) } }) },
      junk: { token: 'a.b.c' },
      'another hash': { user_id: sub, user_hash: hash('other') },
      'an upper-case hash': { user_id: sub, user_hash: hash(sub).toUpperCase() },
    };
    for (const [what, contact] of Object.entries(refused)) {
      const { status, error } = await say(contact);
      assert.deepEqual([status, error?.code], [401, 'identity_rejected'], what);
    }
    const { body } = await tested.call('GET', `/contacts?external_id=${sub}`, { key });
    assert.deepEqual(body.data, []);
    assert.equal((await say({ token: await token({ sub, exp: seconds() - 59 }) })).status, 200);
  });

  it('of another contact is a mismatch, and no turn is run', async () => {
    const chatKey = await tested.makeKey();
    const first = await say({ token: await token({ sub: fresh() }) }, { key: chatKey });
    const init = { key: chatKey, conversation_id: first.body.conversation_id };
    const { status, error } = await say({ token: await token({ sub: fresh() }) }, init);
    assert.deepEqual([status, error.code], [409, 'identity_mismatch']);
    const { body } = await tested.call('GET', `/conversations/${first.body.conversation_id}/messages`, { key });
    assert.equal(body.data.length, 2);
  });

  it('outlives a rotation by a day, unless the previous secret is ended', async () => {
    const sub = fresh();
    await rotate('the next secret');
    assert.equal((await say({ token: await token({ sub }) })).status, 200);
    assert.equal((await say({ token: await token({ sub }, { by: 'the next secret' }) })).status, 200);
    tested.clock.now += 24 * hour;
    assert.equal((await say({ token: await token({ sub }) })).status, 401);
    await rotate(secret, true);
    assert.equal((await say({ token: await token({ sub }, { by: 'the next secret' }) })).status, 401);
    assert.equal((await say({ token: await token({ sub }) })).status, 200);
  });

  it('whose secret cannot be read is told to wait', async () => {
    const { db } = tested.service;
    const [kept] = await db.select().from(identitySecrets);
    await db.update(identitySecrets).set({ encrypted: createEncryption('another key').encrypt('x') });
    const { status, error, headers } = await say({ token: await token({ sub: 'u' }) });
    assert.deepEqual([status, error.code, headers.get('retry-after')], [503, 'identity_unavailable', '30']);
    await db.update(identitySecrets).set({ encrypted: kept!.encrypted });
  });

  it('remembers ended conversations for the next one, and asks no more than it must', async () => {
    const { db } = tested.service;
    const sub = fresh();
    const proof = async () => ({ token: await token({ sub, name: 'Aisha', email: `${sub}@g.example` }) });
    const first = await tested.chat('Where can I park?', { contact: await proof() });
    assert.match((await say(await proof())).body.message!.content, /Hello, and welcome/);
    tested.clock.now += 24 * hour;
    await tested.service.work();
    const { body } = await tested.call('GET', `/conversations/${first.body.conversation_id}`, { key });
    assert.deepEqual([body.state, body.summary], ['closed', 'Asked: Where can I park?']);
    assert.match((await say(await proof())).body.message!.content, /Welcome back, Aisha!/);
    await db.update(leadFields).set({ askWhen: 'if_missing' }).where(eq(leadFields.key, 'email'));
    const chatKey = await tested.makeKey();
    const asked = await tested.chat('I want a custom order', { contact: await proof(), key: chatKey });
    assert.ok(!JSON.stringify(asked.body.message!.blocks).includes('"email"'));
    const text = 'Name: Aisha\nPhone: 90001111\nWhat to make: Tiles\nHow many: 2';
    await tested.chat(text, { key: chatKey, conversation_id: asked.body.conversation_id });
    const [lead] = (await tested.call('GET', '/leads?limit=1', { key })).body.data;
    assert.equal(lead.data.email, `${sub}@g.example`);
  });
});

describe('the month’s conversations', () => {
  const usage = async () => (await tested.call('GET', '/usage', { key })).body;

  it('are counted once each, on the first answer', async () => {
    const before = await usage();
    const chat = await tested.chat('Hello', { key });
    await tested.chat('Where can I park?', { key, conversation_id: chat.body.conversation_id });
    const after = await usage();
    assert.equal(after.month, '2026-10-01');
    assert.equal(after.plan, 'business');
    assert.equal(after.pool.used, before.pool.used + 1);
    const of = (shown: any) => shown.agents.find((agent: any) => agent.agent_id === tested.agentId);
    assert.equal(of(after).conversations, of(before).conversations + 1);
    assert.equal(of(after).messages, of(before).messages + 4);
    const limited = await tested.makeKey({ scopes: ['usage:read'], agentIds: [tested.agentId] });
    assert.equal((await tested.call('GET', '/usage', { key: limited })).body.agents.length, 1);
    const other = await tested.makeKey({ scopes: ['chat'] });
    assert.equal((await tested.call('GET', '/usage', { key: other })).error.required_scope, 'usage:read');
  });

  it('all used: new ones get the capacity note, old ones go on, top-ups help', async () => {
    const { db } = tested.service;
    const chatKey = await tested.makeKey();
    const old = await tested.chat('Hello', { key: chatKey });
    await db.update(workspaces).set({ plan: 'team' });
    const { used } = (await usage()).pool;
    await db.execute(sql`insert into conversations
        (id, workspace_id, agent_id, channel, state, language, started_at, expires_at, counted_at)
      select 'cnv_filler_' || n, 'wsp_palm_and_clay', ${tested.agentId}, 'website', 'closed', 'en',
        ${new Date(tested.clock.now).toISOString()}::timestamptz, ${new Date(tested.clock.now).toISOString()}::timestamptz,
        ${new Date(tested.clock.now).toISOString()}::timestamptz
      from generate_series(1, ${1999 - used}::int) n`);
    const pair = await Promise.all([tested.chat('Hello'), tested.chat('Hello')]);
    assert.deepEqual(new Set(pair.map(({ body }) => body.limit)), new Set(['monthly', null]));
    const full = await tested.chat('أهلًا', {});
    assert.deepEqual([full.body.limit, full.body.outcome], ['monthly', 'limit']);
    assert.match(full.body.message!.content, /لهذا الشهر/);
    const streamed = await tested.streamed('Hello');
    assert.equal(streamed.find(({ event }) => event === 'outcome')!.data.limit, 'monthly');
    const goes = await tested.chat('Hello', { key: chatKey, conversation_id: old.body.conversation_id });
    assert.equal(goes.body.limit, null);
    assert.deepEqual((await usage()).pool, { included: 2000, top_ups: 0, used: 2000, remaining: 0 });
    const told = await db.select().from(events).where(eq(events.type, 'usage.threshold'));
    assert.equal(told.length, 2);
    await db
      .insert(topUps)
      .values({ id: 't', workspaceId: 'wsp_palm_and_clay', month: '2026-10-01', conversations: 1 });
    assert.equal((await tested.chat('Hello')).body.limit, null);
    assert.equal((await tested.chat('Hello')).body.limit, 'monthly');
    tested.clock.now = Date.parse('2026-11-01T00:00:00Z');
    assert.equal((await usage()).pool.used, 0);
    assert.equal((await tested.chat('Hello')).body.limit, null);
  });
});
