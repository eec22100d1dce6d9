import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useTestService } from './support.ts';

const tested = useTestService();

const team = (path: string, body: object) => tested.callTeam('POST', path, body);
const start = (channel: string, text = 'I want to talk to a human') =>
  team(`/agents/${tested.agentId}/conversations`, { channel, text });

describe('the simulator of conversations', () => {
  it('rejects an unknown channel', async () => {
    assert.equal((await start('fax')).status, 422);
  });

  it('stores the rating of a reply, which the list of messages returns', async () => {
    const { body } = await start('website', 'Where can I park?');
    const path = `/conversations/${body.conversation_id}/messages`;
    const listed = (await tested.api('GET', path)).body.data;
    const question = listed.find(({ role }: any) => role === 'user');
    const reply = listed.find(({ role }: any) => role === 'assistant');
    assert.equal(reply.feedback, null);
    const bad = { rating: -1, comment: 'Too long' };
    assert.deepEqual((await team(`/messages/${reply.id}/feedback`, bad)).body.feedback, bad);
    const { status } = await team(`/messages/${reply.id}/feedback`, { rating: 1 });
    assert.equal(status, 200);
    const read = (await tested.api('GET', path)).body.data.find(({ id }: any) => id === reply.id);
    assert.deepEqual(read.feedback, { rating: 1 });
    assert.equal((await team(`/messages/${reply.id}/feedback`, { rating: 5 })).status, 422);
    assert.equal((await team(`/messages/${question.id}/feedback`, { rating: 1 })).status, 409);
    assert.equal((await team('/messages/msg_none/feedback', { rating: 1 })).status, 404);
  });
});
