import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { eq } from 'drizzle-orm';
import { conversations, events, messages, submissions, tickets } from '../../service/db/schema.ts';
import { contactCalls } from './contact-calls.ts';
import { origin, useTestService } from './support.ts';

const tested = useTestService();
const key = tested.secretKey;
beforeEach(() => tested.nextMinute());

const { fresh } = contactCalls(tested);

let serial = 0;

/** Has a visitor submit the form of a custom order, and returns the contact that it creates. */
const submitForm = async () => {
  const { body } = await tested.chat('I want a custom order', { key });
  serial++;
  const email = `huda-${serial}@d.example`;
  const phone = `9222330${serial}`;
  const text = `Name: Huda Al Amri\nPhone: ${phone}\nEmail: ${email}\nWhat to make: Tiles\nHow many: 7`;
  await tested.chat(text, { key, conversation_id: body.conversation_id });
  const [contact] = (await tested.call('GET', `/contacts?email=${email}`, { key })).body.data;
  const lead = (await tested.call('GET', '/leads', { key })).body.data.find((each: any) => each.contact === email);
  await tested.call('PATCH', `/leads/${lead.id}`, { key, body: { status: 'qualified', notes: `Write to ${email}` } });
  return { contact, email, phone, conversationId: body.conversation_id };
};

const submissionOf = async (conversationId: string) => {
  const found = await tested.service.db
    .select()
    .from(submissions)
    .where(eq(submissions.conversationId, conversationId));
  return found[0];
};
const storedEvents = () => tested.service.db.select().from(events);

describe('the deletion of a contact', () => {
  it('keeps the conversations and their messages, without a link to the contact', async () => {
    const { db } = tested.service;
    const { contact, conversationId } = await submitForm();
    await db
      .update(conversations)
      .set({ contactId: contact.id, claim: { name: 'Huda Al Amri' } })
      .where(eq(conversations.id, conversationId));
    assert.equal((await tested.call('DELETE', `/contacts/${contact.id}`, { key })).status, 204);
    const [stored] = await db.select().from(conversations).where(eq(conversations.id, conversationId));
    assert.deepEqual([stored!.contactId, stored!.claim], [null, null]);
    const path = `/conversations/${conversationId}/messages`;
    assert.equal((await tested.call('GET', path, { key })).body.data.length, 4);
  });

  it('empties the identity fields of submissions and keeps the other fields', async () => {
    const { contact, conversationId } = await submitForm();
    await tested.call('DELETE', `/contacts/${contact.id}`, { key });
    const { data } = (await submissionOf(conversationId))!;
    assert.deepEqual([data['name'], data['phone'], data['email']], ['', '', '']);
    assert.deepEqual([data['piece'], data['quantity']], ['Tiles', 7]);
  });

  it('empties the identity fields of stored events about the contact, its leads and its submissions', async () => {
    const { contact, email, phone } = await submitForm();
    const external = `ext-${fresh()}`;
    const made = await tested.call('POST', '/contacts', {
      key,
      body: { external_id: external, name: 'Salim Said', email: `${external}@s.example`, attributes: { vip: 'yes' } },
    });
    for (const id of [contact.id, made.body.id]) await tested.call('DELETE', `/contacts/${id}`, { key });
    const payloads = (await storedEvents()).filter(({ type }) => /^(lead|contact|form)/.test(type));
    const types = new Set(payloads.map(({ type }) => type));
    assert.deepEqual(
      types,
      new Set(['contact.created', 'lead.created', 'lead.updated', 'lead.status_changed', 'form.submitted']),
    );
    const text = JSON.stringify(payloads);
    for (const planted of [email, phone, external, 'Salim Said']) {
      assert.ok(!text.includes(planted), planted);
    }
    assert.ok(text.includes('Tiles'), 'other fields stay');
  });

  it('leaves the submissions and events of other contacts unchanged', async () => {
    const kept = await submitForm();
    const deleted = await submitForm();
    const about = async () => (await storedEvents()).filter(({ data }) => JSON.stringify(data).includes(kept.email));
    const before = { events: await about(), submission: await submissionOf(kept.conversationId) };
    assert.ok(before.events.length > 0);
    await tested.call('DELETE', `/contacts/${deleted.contact.id}`, { key });
    assert.deepEqual({ events: await about(), submission: await submissionOf(kept.conversationId) }, before);
  });
});

describe('the erasure of a contact', () => {
  const erase = (id: string) =>
    tested.service.fetch(
      new Request(`${origin}/team/contacts/${id}/erase`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: '{}',
      }),
    );

  it('deletes the messages, tickets, submissions and events of the contact, and keeps the quota', async () => {
    const { db } = tested.service;
    const { contact, email, conversationId } = await submitForm();
    await tested.chat('I want to talk to a human', { key, conversation_id: conversationId });
    const used = async () => (await tested.call('GET', '/usage', { key })).body.pool.used;
    const before = await used();
    assert.equal((await erase(contact.id)).status, 204);
    assert.equal(await used(), before);
    assert.equal((await tested.call('GET', `/contacts/${contact.id}`, { key })).status, 404);
    assert.equal(await submissionOf(conversationId), undefined);
    assert.deepEqual(await db.select().from(messages).where(eq(messages.conversationId, conversationId)), []);
    assert.deepEqual(await db.select().from(tickets).where(eq(tickets.conversationId, conversationId)), []);
    const text = JSON.stringify(await storedEvents());
    for (const planted of [email, contact.id, conversationId]) assert.ok(!text.includes(planted), planted);
    assert.equal((await erase(contact.id)).status, 404);
  });
});
