/** Statements of the contract about changes of contacts, their deletion, and their consent to marketing. */
import assert from 'node:assert/strict';
import { newContact } from './contacts.ts';
import type { StatementContext } from './context.ts';
import { about, assertError, assertInvalid, inSection, once, type Statement } from './statement.ts';

const change = (context: StatementContext, contact: string, body: object) =>
  context.call('PATCH', `/contacts/${contact}`, { body });

const operation = inSection('Contacts');
const changing: Statement[] = [
  operation('PATCH /contacts/{contact_id} changes only the fields that are sent.', async (context) => {
    const before = await newContact(context, { name: 'Before', attributes: { a: 1 }, locale: 'en' });
    const { status, body } = await change(context, before.id, { name: 'After' });
    assert.equal(status, 200);
    assert.deepEqual({ ...body, name: 'Before', updated_at: before.updated_at }, before);
    assert.equal(body.name, 'After');
  }),
  operation('An empty e-mail address or phone number in a change clears it.', async (context) => {
    const unique = context.unique('clear-');
    const contact = await newContact(context, { email: `${unique}@m.example`, phone: '+968 95 000 111' });
    const { body } = await change(context, contact.id, { email: '', phone: '' });
    assert.deepEqual([body.email, body.phone], ['', '']);
    assert.deepEqual((await context.get(`/contacts?email=${unique}@m.example`)).data, []);
  }),
  operation('A change merges the attributes by key, and null removes a key.', async (context) => {
    const contact = await newContact(context, { attributes: { kept: 1, removed: 2, changed: 3 } });
    const { body } = await change(context, contact.id, { attributes: { removed: null, changed: 4, added: true } });
    assert.deepEqual(body.attributes, { kept: 1, changed: 4, added: true });
  }),
  operation('A change of a contact without any field is rejected.', async (context) => {
    assertInvalid(await change(context, (await newContact(context)).id, {}));
  }),
  operation('The e-mail address of another contact returns 409 conflict with contact_exists.', async (context) => {
    const email = `${context.unique('taken-')}@m.example`;
    await newContact(context, { email });
    const response = await change(context, (await newContact(context)).id, { email });
    assertError(response, 409, 'conflict');
    assert.equal(response.error.details, 'contact_exists');
  }),
  operation('The phone number of another contact returns 409 conflict with contact_exists.', async (context) => {
    const phone = `+96894${String(Date.now()).slice(-6)}`;
    await newContact(context, { phone });
    const response = await change(context, (await newContact(context)).id, { phone });
    assert.deepEqual([response.status, response.error.details], [409, 'contact_exists']);
  }),
  operation('The external id of a contact cannot be changed.', async (context) => {
    const contact = await newContact(context);
    await change(context, contact.id, { external_id: 'another', name: 'x' });
    assert.equal((await context.get(`/contacts/${contact.id}`)).external_id, contact.external_id);
  }),
];

const marketing = inSection('Contact marketing status');
const statusOf = async (context: StatementContext, contact: string) =>
  (await context.get(`/contacts/${contact}`)).marketing_status;

const consent: Statement[] = [
  marketing('A contact without consent is not_subscribed.', async (context) => {
    assert.equal((await newContact(context)).marketing_status, 'not_subscribed');
  }),
  marketing('A contact with consent is subscribed, and shows the time of the consent.', async (context) => {
    const contact = await newContact(context, { consent_marketing: true });
    assert.deepEqual([contact.marketing_status, contact.consent_marketing], ['subscribed', true]);
    assert.equal(contact.consent_marketing_at, contact.created_at);
  }),
  marketing('A consent of false withdraws the consent.', async (context) => {
    const { id } = await newContact(context, { consent_marketing: true });
    const { body } = await change(context, id, { consent_marketing: false });
    assert.deepEqual([body.consent_marketing, body.consent_marketing_at], [false, null]);
    assert.notEqual(body.marketing_status, 'subscribed');
  }),
  ...(['unsubscribed', 'bounced', 'complained'] as const).flatMap((status) => [
    marketing(`A contact that is ${status} is not given consent again by POST /contacts.`, async (context) => {
      const contact = await newContact(context, { consent_marketing: true });
      await context.team('POST', `/contacts/${contact.id}/mail`, { event: status });
      const sent = { external_id: contact.external_id, consent_marketing: true, name: 'Still saved' };
      const { status: code, body } = await context.call('POST', '/contacts', { body: sent });
      assert.deepEqual([code, body.marketing_status, body.name], [200, status, 'Still saved']);
      assert.notEqual(body.consent_marketing, true);
    }),
    marketing(`Consent for a contact that is ${status} returns 409 with marketing_suppressed.`, async (context) => {
      const contact = await newContact(context);
      await context.team('POST', `/contacts/${contact.id}/mail`, { event: status });
      const response = await change(context, contact.id, { consent_marketing: true });
      assertError(response, 409, 'conflict');
      assert.equal(response.error.details, 'marketing_suppressed');
      assert.equal(await statusOf(context, contact.id), status);
    }),
  ]),
];

/** A verified contact with a note of an ended conversation, a ticket and a lead, before and after its deletion. */
const deleted = once(async (context) => {
  const agent = await context.someAgent();
  const secret = await context.identitySecret(agent);
  const sub = context.unique('deleted-');
  const proof = async () => ({
    token: await context.identityToken(secret, { sub, name: 'Deleted', email: `${sub}@m.example` }),
  });
  const body = {
    name: 'ask_lead',
    kind: 'collect_data',
    enabled: true,
    config: { lead: true, asked_by: ['Take my details'] },
  };
  const made = await context.call('POST', `/agents/${agent}/actions`, { body });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const fields = [{ key: 'name', label_en: 'Name', kind: 'text', required: true }];
  await context.team('POST', `/agents/${agent}/lead-fields`, { fields });
  const chat = async (text: string, more: object = {}) =>
    (await context.chat(text, { to: agent, contact: await proof(), ...more })).body;
  const first = await chat('Take my details');
  const { conversation_id } = first;
  await chat('Name: Deleted', { conversation_id });
  await chat('I want to talk to a human', { conversation_id });
  await context.team('POST', `/conversations/${conversation_id}/close`, {});
  const welcome = (await chat('Hello')).message.content as string;
  const [contact] = (await context.get(`/contacts?external_id=${sub}`)).data;
  const { data: leads } = await context.get(`/leads?agent_id=${agent}`);
  const { data: tickets } = await context.get(`/tickets?agent_id=${agent}`);
  const path = `/contacts/${contact.id}`;
  const withoutLeads = await context.makeKey({ scopes: ['contacts:write', 'contacts:read'] });
  const refused = await context.call('DELETE', path, { key: withoutLeads });
  const kept = await context.call('GET', path);
  const removed = await context.call('DELETE', path);
  const after = {
    contact: await context.call('GET', path),
    lead: await context.call('GET', `/leads/${leads[0].id}`),
    conversation: await context.call('GET', `/conversations/${conversation_id}`),
    ticket: await context.get(`/tickets/${tickets[0].id}`),
    welcome: (await chat('Hello')).message.content as string,
  };
  return { welcome, contact, leads, tickets, refused, kept, removed, after };
});

const deletion: Statement[] = [
  ...about(operation, deleted, {
    'DELETE /contacts/{contact_id} returns 204 and deletes the contact.': ({ removed, after }) => {
      assert.deepEqual([removed.status, removed.body], [204, undefined]);
      assertError(after.contact, 404, 'not_found');
    },
    'The leads of a deleted contact are deleted.': ({ leads, after }) => {
      assert.equal(leads.length, 1);
      assertError(after.lead, 404, 'not_found');
    },
    'The conversations of a deleted contact stay.': ({ after }) => assert.equal(after.conversation.status, 200),
    'The tickets of a deleted contact are no longer linked to the contact.': ({ tickets, contact, after }) =>
      assert.deepEqual([tickets[0].contact_id, after.ticket.contact_id], [contact.id, null]),
    'An agent forgets its notes of a deleted contact.': ({ welcome, after }) => {
      assert.match(welcome, /Welcome back/);
      assert.doesNotMatch(after.welcome, /Welcome back/);
    },
    'Deleting a contact with leads needs the scope leads:write too.': ({ refused }) => {
      assertError(refused, 403, 'insufficient_scope');
      assert.equal(refused.error.required_scope, 'leads:write');
    },
    'Without the scope for its leads, nothing of a contact is deleted.': ({ kept }) => assert.equal(kept.status, 200),
  }),
  ...about(operation, newContact, {
    'A contact without leads is deleted with the scope contacts:write alone.': async ({ id }, context) => {
      const key = await context.makeKey({ scopes: ['contacts:write'] });
      assert.equal((await context.call('DELETE', `/contacts/${id}`, { key })).status, 204);
    },
    'A key limited to some agents cannot delete a contact.': async ({ id }, context) => {
      const key = await context.makeKey({ scopes: ['contacts:write', 'leads:write'], agentIds: [context.agentId] });
      assertError(await context.call('DELETE', `/contacts/${id}`, { key }), 403, 'insufficient_scope');
      assert.equal((await context.call('GET', `/contacts/${id}`)).status, 200);
    },
  }),
];

export const contactChangeStatements: Statement[] = [...changing, ...consent, ...deletion];
