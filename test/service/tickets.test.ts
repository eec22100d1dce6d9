import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { workspaces } from '../../service/db/schema.ts';
import { replyAsTeam } from '../../service/chat/messages.ts';
import { useTestService } from './support.ts';

const tested = useTestService();
const key = tested.secretKey;

/** Starts a conversation with a handoff request. */
const asked = async (first = 'I want to talk to a human') => {
  const { body } = await tested.chat(first, { key });
  const { body: listed } = await tested.api('GET', '/tickets?limit=1');
  return { conversation_id: body.conversation_id, ticket: listed.data[0] };
};
const say = (conversation_id: string, content: string) => tested.chat(content, { key, conversation_id });
const reply = (id: string) =>
  replyAsTeam({ db: tested.service.db, now: () => tested.clock.now }, id, 'Salma here, hello!');
const read = async (id: string) => (await tested.api('GET', `/tickets/${id}`)).body;
const state = async (id: string) => (await tested.api('GET', `/conversations/${id}`)).body.state;

describe('the service, for tickets', () => {
  it('moves between team and customer with each message, and measures the first response once', async () => {
    const { ticket, conversation_id } = await asked();
    tested.clock.now += 90_000;
    await reply(conversation_id);
    assert.equal(await state(conversation_id), 'human_active');
    const answered = await read(ticket.id);
    assert.deepEqual([answered.status, answered.first_response_seconds], ['on_customer', 90]);
    const { body } = await say(conversation_id, 'Thank you for coming');
    assert.deepEqual([body.message, body.state], [null, 'human_active']);
    assert.equal((await read(ticket.id)).status, 'on_you');
    tested.clock.now += 60_000;
    await reply(conversation_id);
    const again = await read(ticket.id);
    assert.deepEqual([again.status, again.first_response_seconds], ['on_customer', 90]);
  });

  it('opens no ticket on a plan without the helpdesk', async () => {
    await tested.set(workspaces, { plan: 'team' });
    const before = (await tested.api('GET', '/tickets?limit=100')).body.data.length;
    await tested.chat('I want to talk to a human', { key });
    assert.equal((await tested.api('GET', '/tickets?limit=100')).body.data.length, before);
    await tested.set(workspaces, { plan: 'starter' });
    const { status, error } = await tested.api('GET', '/tickets');
    assert.deepEqual([status, error.code, error.required_plan], [403, 'plan_required', 'team']);
    await tested.set(workspaces, { plan: 'business' });
  });
});
