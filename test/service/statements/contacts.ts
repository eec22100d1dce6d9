/** Statements of the contract about contacts. */
import assert from 'node:assert/strict';
import type { StatementContext } from './context.ts';
import { captureLead } from './leads.ts';
import * as is from './field-types.ts';
import { about, assertError, assertInvalid, fieldStatements, inSection, once, type Statement } from './statement.ts';
import { valuesOf } from '../../support/values-of.ts';

const save = (context: StatementContext, body: object) => context.call('POST', '/contacts', { body });
const change = (context: StatementContext, contact: string, body: object) =>
  context.call('PATCH', `/contacts/${contact}`, { body });

/** Creates a contact with an external id of its own, and returns it. */
export const newContact = async (context: StatementContext, body: object = {}): Promise<any> => {
  const response = await save(context, { external_id: context.unique('user-'), ...body });
  assert.equal(response.status, 201, JSON.stringify(response.body));
  return response.body;
};

/** A new contact, and the same contact again. */
const recorded = once(async (context) => {
  const external_id = context.unique('complete-');
  const complete = {
    external_id,
    name: 'Aisha',
    email: `${external_id}@Mail.example`,
    phone: '+968 9111 2222',
    attributes: { plan: 'gold', age: 31, vip: true },
    consent_marketing: true,
    locale: 'ar',
  };
  const created = await save(context, complete);
  const again = await save(context, { external_id, name: '', email: '', attributes: { age: 32 }, phone: '91112222' });
  const { data } = await context.get('/contacts?limit=100');
  const path = `/contacts/${created.body.id}`;
  return { complete, created, again, path, list: data as any[] };
});

/** A contact whose identity a site proved. */
const proven = once(async (context) => {
  const agent = await context.makeAgent();
  const secret = await context.identitySecret(agent);
  const sub = context.unique('verified-');
  const token = await context.identityToken(secret, { sub, name: 'Verified' });
  await context.chat('Hello there', { to: agent, contact: { token } });
  const { data } = await context.get(`/contacts?external_id=${sub}`);
  return { agent, contact: data[0] };
});

/** A contact from a form of the demo. */
const fromForm = once(async (context) => {
  const phone = `9${Date.now() % 10_000_000}`;
  await captureLead(context, {}, `Name: Form\nPhone: ${phone}\nWhat to make: Vase\nHow many: 2`);
  const { data } = await context.get('/contacts?limit=100');
  return data.find(({ name }: any) => name === 'Form');
});

const read = async (context: StatementContext) => {
  const { list, created, again } = await recorded(context);
  return [...list, created.body, again.body] as object[];
};

const sources = ['manual', 'import', 'identify', 'lead', 'api'];
const marketing = ['subscribed', 'not_subscribed', 'unsubscribed', 'bounced', 'complained'];
const fields = fieldStatements('Contact', read, [
  ['id', is.id, 'The id of a contact is a text.'],
  ['external_id', is.optional(is.text), 'A contact can have the caller’s own id.'],
  ['name', is.text, 'The name of a contact is a text, which can be empty.'],
  ['email', is.text, 'The e-mail address of a contact is a text, which can be empty.'],
  ['phone', is.text, 'The phone number of a contact is a text, which can be empty.'],
  ['attributes', is.record, 'The attributes of a contact are an object.'],
  ['verified', is.flag, 'A contact says whether its identity was proven.'],
  ['source', is.oneOf(...sources), 'A contact first arrived by manual, import, identify, lead or api.'],
  ['first_seen_at', is.optional(is.time), 'A contact shows when it was first seen.'],
  ['last_seen_at', is.optional(is.time), 'A contact shows when it was last seen.'],
  ['created_at', is.optional(is.time), 'A contact shows when it was created.'],
  ['updated_at', is.optional(is.time), 'A contact shows when it was last changed.'],
  ['consent_marketing', is.optional(is.flag), 'A contact says whether the person agreed to campaign e-mails.'],
  ['consent_marketing_at', is.optional(is.time), 'A contact with consent shows when it was given.'],
  ['locale', is.optional(is.oneOf('en', 'ar', '')), 'The locale of a contact is en, ar or empty.'],
  ['marketing_status', is.optional(is.oneOf(...marketing)), 'The marketing status of a contact is one of five.'],
]);

const resource = inSection('Contact');
const values: Statement[] = [
  resource('The attributes of a contact are flat: texts, numbers and booleans.', async (context) => {
    const { created, complete } = await recorded(context);
    assert.deepEqual(created.body.attributes, complete.attributes);
    for (const { attributes } of (await recorded(context)).list) {
      for (const value of Object.values(attributes)) assert.notEqual(typeof value, 'object');
    }
  }),
  resource('A contact from the API has the source api and is not verified.', async (context) => {
    const { created } = await recorded(context);
    assert.deepEqual([created.body.source, created.body.verified], ['api', false]);
  }),
  resource('A contact that a site proved has the source identify and is verified.', async (context) => {
    const { contact } = await proven(context);
    assert.deepEqual([contact.source, contact.verified], ['identify', true]);
  }),
  resource('A contact from a lead form has the source lead and is not verified.', async (context) => {
    const contact = await fromForm(context);
    assert.deepEqual([contact.source, contact.verified], ['lead', false]);
  }),
  resource('The external id of a contact without one is null.', async (context) => {
    const { body } = await save(context, { email: `${context.unique('only-')}@mail.example` });
    assert.equal(body.external_id, null);
  }),
  resource('The external id is unique in the workspace: saving it again finds the same contact.', async (context) => {
    const { created, again } = await recorded(context);
    assert.equal(again.body.id, created.body.id);
  }),
];

const operation = inSection('Contacts');
const find = async (context: StatementContext, query: string) =>
  (await context.get(`/contacts?${query}`)).data.map((contact: any) => contact.id);

const listing: Statement[] = [
  operation('GET /contacts lists the contacts most recently seen first, in pages.', async (context) => {
    const older = await newContact(context);
    await context.advance(1000);
    const newer = await newContact(context);
    assert.deepEqual(await find(context, 'limit=2'), [newer.id, older.id]);
    await context.advance(1000);
    await save(context, { external_id: older.external_id });
    const [first, second] = await context.firstTwo('/contacts');
    assert.deepEqual([first.id, second.id], [older.id, newer.id]);
  }),
  operation('The list of contacts can be filtered by e-mail address in any casing.', async (context) => {
    const { created } = await recorded(context);
    assert.deepEqual(await find(context, `email=${created.body.email.toUpperCase()}`), [created.body.id]);
  }),
  operation('The list of contacts can be filtered by phone number, however it is written.', async (context) => {
    const digits = `9${String(Date.now()).slice(-7)}`;
    const { id: contact } = await newContact(context, { phone: `+968 ${digits.slice(0, 4)}-${digits.slice(4)}` });
    const arabic = `968${digits}`.replaceAll(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)]!);
    for (const phone of [`00968${digits}`, `%2B968${digits}`, `968 ${digits}`, arabic]) {
      assert.deepEqual(await find(context, `phone=${phone}`), [contact]);
    }
  }),
  operation('The list of contacts can be filtered by external id.', async (context) => {
    const { created, complete } = await recorded(context);
    assert.deepEqual(await find(context, `external_id=${complete.external_id}`), [created.body.id]);
    assert.deepEqual(await find(context, 'external_id=nobody'), []);
  }),
  operation('The list of contacts can be filtered by whether they are verified.', async (context) => {
    await proven(context);
    await newContact(context);
    for (const verified of [true, false]) {
      const { data } = await context.get(`/contacts?limit=100&verified=${verified}`);
      assert.ok(data.length > 0 && data.every((contact: any) => contact.verified === verified));
    }
    assertInvalid(await context.call('GET', '/contacts?verified=maybe'), 'verified');
  }),
  operation('A key limited to some agents lists the contacts of those agents.', async (context) => {
    const { agent } = await proven(context);
    const key = await context.makeKey({ scopes: ['contacts:read'], agentIds: [agent] });
    const { data } = await context.get('/contacts', { key });
    assert.deepEqual(valuesOf(data, 'name'), ['Verified']);
  }),
  operation('GET /contacts/{contact_id} returns one contact.', async (context) => {
    const created = await newContact(context, { name: 'One' });
    assert.deepEqual(await context.get(`/contacts/${created.id}`), created);
  }),
];

const saving: Statement[] = [
  ...about(operation, recorded, {
    'POST /contacts returns 201 for a new contact.': ({ created }) => assert.equal(created.status, 201),
    'The response to a new contact has a Location header with its URL.': ({ created, path }) =>
      assert.equal(created.headers.get('location'), `/api/v2${path}`),
    'POST /contacts returns 200 for an existing contact, with the sent values written over it.': ({ again }) =>
      assert.deepEqual([again.status, again.body.phone], [200, '91112222']),
    'An empty value does not change an existing contact.': ({ again, complete }) =>
      assert.deepEqual([again.body.name, again.body.email], [complete.name, complete.email]),
    'The attributes of an existing contact are merged by key.': ({ again }) =>
      assert.deepEqual(again.body.attributes, { plan: 'gold', age: 32, vip: true }),
  }),
  operation('A new contact needs an external id, an e-mail address or a phone number.', async (context) => {
    assertInvalid(await save(context, { name: 'Nobody' }));
    const unique = context.unique('any-');
    const digits = `+9689${String(Date.now()).slice(-7)}`;
    for (const body of [{ external_id: unique }, { email: `${unique}@m.example` }, { phone: digits }]) {
      assert.equal((await save(context, body)).status, 201, JSON.stringify(body));
    }
  }),
  operation('A contact is matched by external id before e-mail address and phone number.', async (context) => {
    const [one, other] = [context.unique('first-'), context.unique('second-')];
    const { id: first } = await newContact(context, { external_id: one, email: `${one}@m.example` });
    await newContact(context, { external_id: other, email: `${other}@m.example` });
    const { status, body } = await save(context, { external_id: one, email: `${other}@m.example` });
    assert.deepEqual([status, body.id], [200, first]);
  }),
  operation('A contact is matched by e-mail address before phone number.', async (context) => {
    const email = `${context.unique('mail-')}@m.example`;
    const phone = `+96892${String(Date.now()).slice(-6)}`;
    const { body: byEmail } = await save(context, { email });
    const { body: byPhone } = await save(context, { phone });
    assert.notEqual(byEmail.id, byPhone.id);
    assert.equal((await save(context, { email: email.toUpperCase(), phone })).body.id, byEmail.id);
  }),
  operation('A contact is matched by phone number when nothing else matches.', async (context) => {
    const phone = `+96893${String(Date.now()).slice(-6)}`;
    const { body } = await save(context, { phone });
    assert.equal((await save(context, { phone: phone.replace('+', '00') })).body.id, body.id);
  }),
  operation(
    'An address that belongs to another contact is kept, and does not find the second contact.',
    async (context) => {
      const email = `${context.unique('shared-')}@m.example`;
      const owner = await newContact(context, { email });
      const other = await newContact(context, { email });
      assert.equal(other.email, email);
      assert.deepEqual(await find(context, `email=${email}`), [owner.id]);
    },
  ),
  operation('An attribute name that is not in lower case is rejected.', async (context) => {
    const body = { external_id: context.unique('a-'), attributes: { Plan: 'gold' } };
    assertInvalid(await save(context, body), 'attributes');
  }),
  operation('An attribute cannot be an object or a list.', async (context) => {
    for (const plan of [{ name: 'gold' }, ['gold']]) {
      assertInvalid(await save(context, { external_id: 'x', attributes: { plan } }), 'attributes');
    }
  }),
  operation('The locale of a contact can be en or ar, and an empty text clears it.', async (context) => {
    const { id: contact } = await newContact(context, { locale: 'en' });
    assert.equal((await change(context, contact, { locale: 'ar' })).body.locale, 'ar');
    assert.equal((await change(context, contact, { locale: '' })).body.locale, '');
    assertInvalid(await change(context, contact, { locale: 'fr' }), 'locale');
  }),
  operation('POST /contacts honors its Idempotency-Key.', async (context) => {
    const [first, again] = await context.repeat('/contacts', { external_id: context.unique('i-') });
    assert.deepEqual([again.status, again.body.id], [201, first.body.id]);
  }),
  operation('A key limited to some agents cannot create a contact.', async (context) => {
    const key = await context.makeKey({ scopes: ['contacts:write'], agentIds: [context.agentId] });
    const response = await context.call('POST', '/contacts', { key, body: { external_id: 'limited' } });
    assertError(response, 403, 'insufficient_scope');
  }),
];

export const contactStatements: Statement[] = [...fields, ...values, ...listing, ...saving];
