import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { workspaces } from '../../service/db/schema.ts';
import { useTestService } from './support.ts';

const tested = useTestService();
const key = tested.secretKey;

describe('the service, for tickets', () => {
  it('measures the first response once', async () => {
    const { conversation_id } = (await tested.chat('I want to talk to a human', { key })).body;
    for (const text of ['Salma here, hello!', 'Anything else?']) {
      tested.clock.now += 90_000;
      await tested.callTeam('POST', `/conversations/${conversation_id}/reply`, { text });
      await tested.chat('Thank you for coming', { key, conversation_id });
    }
    const [ticket] = (await tested.api('GET', '/tickets?limit=1')).body.data;
    assert.equal(ticket.first_response_seconds, 90);
  });

  it('opens no ticket on a plan without the helpdesk', async () => {
    await tested.set(workspaces, { plan: 'team' });
    const before = (await tested.api('GET', '/tickets?limit=100')).body.data.length;
    await tested.chat('I want to talk to a human', { key });
    assert.equal((await tested.api('GET', '/tickets?limit=100')).body.data.length, before);
    await tested.set(workspaces, { plan: 'business' });
  });
});
