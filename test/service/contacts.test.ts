import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { eq } from 'drizzle-orm';
import { contacts, conversations, leads, memories } from '../../service/db/schema.ts';
import { useTestService } from './support.ts';
import { contactCalls } from './contact-calls.ts';

const tested = useTestService();
const key = tested.secretKey;
beforeEach(() => tested.nextMinute());

const { fresh, save, read, createdEvents } = contactCalls(tested);

describe('the contacts API', () => {
  it('creates a new contact with 201 and updates a known one with 200', async () => {
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

  it('finds a contact by e-mail in any case, by phone in any notation, and by external id', async () => {
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

  it('stores the e-mail address of another contact without matching by it', async () => {
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

  it('creates one contact when many calls save it at once', async () => {
    const id = fresh();
    const all = await Promise.all(Array.from({ length: 5 }, () => save({ email: `${id}@b.example` })));
    assert.equal(new Set(all.map(({ body }) => body.id)).size, 1);
    assert.equal(all.filter(({ status }) => status === 201).length, 1);
  });

  it('changes only the fields that are sent, and clears an empty e-mail address', async () => {
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

  it('keeps a contact unsubscribed and saves the other fields', async () => {
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
    ['no external id, e-mail or phone', { name: 'Aisha' }],
    ['an invalid e-mail', { email: 'aisha' }],
    ['an attribute in capitals', { external_id: 'x', attributes: { Plan: 'a' } }],
    ['a nested attribute', { external_id: 'x', attributes: { plan: {} } }],
    ['a long attribute', { external_id: 'x', attributes: { plan: 'a'.repeat(201) } }],
    [
      '21 attributes',
      { external_id: 'x', attributes: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`a${at}`, 1])) },
    ],
  ] as const) {
    it(`rejects a contact with ${what}`, async () => assert.equal((await save(body)).status, 422));
  }

  it('deletes the notes and leads of a contact, keeps its conversations, and requires leads:write for leads', async () => {
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

  it('shows a key that is limited to some agents only their contacts, and lets it neither create nor delete one', async () => {
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

  it('lists contacts in pages, most recently seen first', async () => {
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

describe('the address and the id of a contact', () => {
  const composed = 'jos\u00e9';
  const decomposed = 'jose\u0301';
  const marks = '\u200e\u200f\u061c\u202a\u202c\u2066\u2069\u200b\u200c\u200d\u2060\ufeff\u00ad'.split('');

  for (const [name, one, other] of [
    ['in NFC and NFD', `${composed}@norm.example`, `${decomposed}@norm.example`],
    ['with a domain in letters and in ASCII', 'huda@m\u00fcnchen.example', 'huda@xn--mnchen-3ya.example'],
    ['with a domain in NFD', 'sami@m\u00fcnchen.example', 'sami@mu\u0308nchen.example'],
    ['with a domain in Arabic', 'noor@\u0645\u062b\u0627\u0644.example', 'noor@xn--mgbh0fb.example'],
    ['in any case', 'Case@Norm.example', 'case@norm.example'],
    ['with no-break spaces around it', 'space@norm.example', '\u00a0space@norm.example\u202f'],
    ...marks.map(
      (mark) =>
        [
          `with U+${mark.codePointAt(0)!.toString(16)}`,
          `m${mark.codePointAt(0)}@norm.example`,
          `${mark}m${mark.codePointAt(0)}@no${mark}rm.example`,
        ] as const,
    ),
  ] as const)
    it(`is the same ${name}`, async () => {
      const first = await save({ email: one });
      assert.equal(first.status, 201);
      const second = await save({ email: other, name: 'Again' });
      assert.deepEqual([second.status, second.body.id], [200, first.body.id]);
      const found = await tested.call('GET', `/contacts?email=${encodeURIComponent(other)}`, { key });
      assert.deepEqual(
        found.body.data.map(({ id }: { id: string }) => id),
        [first.body.id],
      );
      assert.doesNotMatch(second.body.email, /[^\x21-\x7e\u00e9]/);
    });

  it('is compared as written, but without invisible characters, if it is an external id', async () => {
    const first = await save({ external_id: 'Id 7\u200f' });
    assert.equal(first.body.external_id, 'Id 7');
    assert.deepEqual((await save({ external_id: '\ufeffId\u200b 7' })).body.id, first.body.id);
    for (const external_id of ['id 7', 'Id  7', 'Id7'])
      assert.notEqual((await save({ external_id })).body.id, first.body.id);
    const found = await tested.call('GET', `/contacts?external_id=${encodeURIComponent('Id\u200e 7')}`, { key });
    assert.equal(found.body.data[0].id, first.body.id);
  });
});
