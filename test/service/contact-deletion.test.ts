import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eq } from 'drizzle-orm';
import { conversations, events, submissions } from '../../service/db/schema.ts';
import { orderText, submitOrder } from './scenarios.ts';
import { useTestService } from './support.ts';

const tested = useTestService();
const key = tested.secretKey;

let serial = 0;

/** Has a visitor submit the form of a custom order, and returns the contact that it creates. */
const submitForm = async () => {
  serial++;
  const email = `huda-${serial}@d.example`;
  const phone = `9222330${serial}`;
  const order = orderText({ Name: 'Huda Al Amri', Phone: phone, Email: email, 'How many': 7 });
  const { conversation_id } = await submitOrder(tested, order);
  const [contact] = (await tested.api('GET', `/contacts?email=${email}`)).body.data;
  const lead = (await tested.api('GET', '/leads')).body.data.find((each: any) => each.contact === email);
  await tested.api('PATCH', `/leads/${lead.id}`, { status: 'qualified', notes: `Write to ${email}` });
  return { contact, email, phone, conversationId: conversation_id };
};

const submissionOf = async (conversationId: string) => {
  const found = await tested.rows(submissions, eq(submissions.conversationId, conversationId));
  return found[0];
};
const storedEvents = () => tested.rows(events);
const personalEvents = async () => (await storedEvents()).filter(({ type }) => /^(lead|contact|form)/.test(type));

describe('the deletion of a contact', () => {
  it('keeps the conversations and their messages, without a link to the contact', async () => {
    const { contact, conversationId } = await submitForm();
    await tested.set(
      conversations,
      { contactId: contact.id, claim: { name: 'Huda Al Amri' } },
      eq(conversations.id, conversationId),
    );
    assert.equal((await tested.api('DELETE', `/contacts/${contact.id}`)).status, 204);
    const [stored] = await tested.rows(conversations, eq(conversations.id, conversationId));
    assert.deepEqual([stored!.contactId, stored!.claim], [null, null]);
    const path = `/conversations/${conversationId}/messages`;
    assert.equal((await tested.api('GET', path)).body.data.length, 4);
  });

  for (const [what, remove, external_id] of [
    ['a deletion', (id: string) => tested.api('DELETE', `/contacts/${id}`), 'claimed'],
    ['an erasure', (id: string) => tested.callTeam('POST', `/contacts/${id}/erase`), 'claimed-2'],
  ] as const) {
    it(`empties the unproven claims that name the contact, and leaves their conversations, after ${what}`, async () => {
      const email = `${external_id}@c.example`;
      const phone = `+9689555${external_id.length}`;
      const { body: contact } = await tested.api('POST', '/contacts', { external_id, email, phone });
      const claims = [
        { externalId: external_id },
        { email: email.toUpperCase() },
        { phone: `00${phone.slice(1)}` },
        { externalId: 'another', name: 'Noor' },
      ];
      const ids: string[] = [];
      for (const claim of claims) {
        const id = (await tested.chat('Hello', { key })).body.conversation_id;
        await tested.set(conversations, { claim }, eq(conversations.id, id));
        ids.push(id);
      }
      assert.equal((await remove(contact.id)).status, 204);
      const left = await Promise.all(ids.map((id) => tested.rows(conversations, eq(conversations.id, id))));
      assert.deepEqual(
        left.map(([row]) => [row!.state, row!.claim]),
        [null, null, null, claims[3]].map((claim) => ['ai_active', claim]),
      );
    });
  }

  it('empties the identity fields of its submissions, and of stored events about it, its leads and its submissions', async () => {
    const { contact, email, phone, conversationId } = await submitForm();
    const external = 'ext-deleted';
    const made = await tested.api('POST', '/contacts', {
      external_id: external,
      name: 'Salim Said',
      email: `${external}@s.example`,
      attributes: { vip: 'yes' },
    });
    for (const id of [contact.id, made.body.id]) await tested.api('DELETE', `/contacts/${id}`);
    const { data } = (await submissionOf(conversationId))!;
    assert.deepEqual(data, { name: '', phone: '', email: '', piece: 'Tiles', quantity: 7 });
    const payloads = await personalEvents();
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

  for (const isFormDeleted of [false, true]) {
    it(`empties them also after the lead ${isFormDeleted ? 'and the form were' : 'was'} deleted`, async () => {
      const { contact, email, phone, conversationId } = await submitForm();
      const lead = (await tested.api('GET', '/leads')).body.data.find((each: any) => each.contact === email);
      await tested.api('DELETE', `/leads/${lead.id}`);
      const isForm = eq(submissions.conversationId, conversationId);
      if (isFormDeleted) await tested.service.db.delete(submissions).where(isForm);
      await tested.api('DELETE', `/contacts/${contact.id}`);
      const text = JSON.stringify([await personalEvents(), await submissionOf(conversationId)]);
      for (const planted of [email, phone]) assert.ok(!text.includes(planted), planted);
    });
  }

  it('empties the identity fields of a form that created no lead', async () => {
    const body = {
      name: 'newsletter',
      kind: 'collect_data',
      enabled: true,
      config: {
        fields: [
          { key: 'reach_at', label_en: 'Reach me at' },
          { key: 'topic', label_en: 'Topic' },
        ],
        asked_by: ['Subscribe to the pamphlet'],
      },
    };
    assert.equal((await tested.api('POST', '/agents/agt_palm_and_clay/actions', body)).status, 201);
    const phone = '+968 9444 1122';
    const { body: contact } = await tested.api('POST', '/contacts', { phone, name: 'Noor' });
    const { conversation_id } = (await tested.chat('Subscribe to the pamphlet', { key })).body;
    await tested.chat('Reach me at: 0096894441122\nTopic: Glaze', { key, conversation_id });
    assert.equal((await submissionOf(conversation_id))?.data['topic'], 'Glaze');
    await tested.api('DELETE', `/contacts/${contact.id}`);
    assert.deepEqual((await submissionOf(conversation_id))!.data, { reach_at: '', topic: 'Glaze' });
    assert.ok(
      !JSON.stringify((await storedEvents()).filter(({ type }) => type === 'form.submitted')).includes('94441122'),
    );
  });

  it('leaves the submissions and events of other contacts unchanged, also those that contain the phone number', async () => {
    const kept = await submitForm();
    const deleted = await submitForm();
    const mentions = { ...(await submissionOf(kept.conversationId))!.data, friend: deleted.phone };
    const isKept = eq(submissions.conversationId, kept.conversationId);
    await tested.set(submissions, { data: mentions }, isKept);
    const about = async () => (await storedEvents()).filter(({ data }) => JSON.stringify(data).includes(kept.email));
    const before = { events: await about(), submission: await submissionOf(kept.conversationId) };
    assert.ok(before.events.length > 0);
    await tested.api('DELETE', `/contacts/${deleted.contact.id}`);
    assert.deepEqual({ events: await about(), submission: await submissionOf(kept.conversationId) }, before);
  });
});
