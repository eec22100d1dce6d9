import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useTestService } from './support.ts';

const tested = useTestService();
const key = tested.secretKey;
const team = (method: string, path: string, body?: object) => tested.callTeam(method, path, body);
const overview = async () => (await team('GET', '/overview')).body;
const agentPath = () => `/agents/${tested.agentId}`;
const source = async (id: string) => (await tested.api('GET', `${agentPath()}/sources/${id}`)).body;

it('shows the workspace in the overview without its secrets', async () => {
  const shown = await overview();
  assert.deepEqual(
    shown.agents.map(({ id, status }: any) => [id, status]),
    [
      [tested.agentId, 'live'],
      [tested.service.demo.pausedAgentId, 'paused'],
    ],
  );
  assert.ok(shown.agents[0].sources.length > 0 && shown.agents[0].actions.length > 0);
  assert.equal(shown.members.find(({ role }: any) => role === 'owner').id, 'mem_salma');
  assert.equal(shown.usage.pool.used, 0);
  assert.ok(!JSON.stringify(shown).includes(key));
  assert.ok(shown.keys.every((each: object) => !('key_hash' in each) && !('keyHash' in each)));
});

describe('the dashboard, for custom fields', () => {
  it('replaces the lead fields as a whole, keeps their order, and keeps the ids of existing fields', async () => {
    const [first, second] = (await overview()).agents[0].lead_fields;
    const { body: before } = await tested.api('GET', `${agentPath()}/lead-fields`);
    const added = { key: 'glaze', label_en: 'Glaze', label_ar: 'الطلاء', kind: 'select', options: ['Ash', 'Tin'] };
    const saved = await team('POST', `${agentPath()}/lead-fields`, { fields: [second, added, first] });
    assert.equal(saved.status, 200, JSON.stringify(saved.body));
    const { body } = await tested.api('GET', `${agentPath()}/lead-fields`);
    assert.deepEqual(
      body.data.map((field: any) => [field.key, field.position]),
      [
        [second.key, 0],
        ['glaze', 1],
        [first.key, 2],
      ],
    );
    assert.equal(body.data[2].id, before.data[0].id);
    assert.deepEqual([body.data[1].label_ar, body.data[1].options], ['الطلاء', ['Ash', 'Tin']]);
  });

  it('rejects invalid fields and changes nothing', async () => {
    const before = (await overview()).agents[0].lead_fields;
    const field = { key: 'size', label_en: 'Size', kind: 'text' };
    for (const fields of [
      [field, field],
      [{ ...field, kind: 'select' }],
      [{ ...field, key: 'Size!' }],
      [{ ...field, label_en: '' }],
    ]) {
      assert.equal((await team('POST', `${agentPath()}/lead-fields`, { fields })).status, 422);
    }
    assert.deepEqual((await overview()).agents[0].lead_fields, before);
    assert.equal((await team('POST', '/agents/agt_none/lead-fields', { fields: [] })).status, 404);
  });
});

it('the dashboard indexes a file, uses it in replies, and does not return its content', async () => {
  const text = '# Glazing night\n\nGlazing night is on the first Tuesday of each month.';
  const { status, body } = await team('POST', `${agentPath()}/sources`, { type: 'file', name: 'night.md', text });
  assert.deepEqual([status, body.type, body.status, body.content_sha256 ?? null], [202, 'file', 'uploaded', null]);
  await tested.service.work();
  assert.equal((await source(body.id)).status, 'indexed');
  const response = await tested.chat('When is glazing night?');
  assert.match(response.body.message!.content, /first Tuesday/);
  assert.equal(response.body.sources[0]!.filename, 'night.md');
  assert.equal((await tested.api('GET', `${agentPath()}/sources/${body.id}/content`)).status, 404);
});

it('rejects an e-mail event that is unknown, or of an unknown contact', async () => {
  const { body: contact } = await tested.api('POST', '/contacts', { email: 'mail@example.com' });
  assert.equal((await team('POST', '/contacts/con_none/mail', { event: 'bounced' })).status, 404);
  assert.equal((await team('POST', `/contacts/${contact.id}/mail`, { event: 'subscribed' })).status, 422);
});

it('finds no voice session of an unknown conversation', async () => {
  const call = { conversation_id: 'cnv_none', duration_seconds: 1 };
  assert.equal((await team('POST', `${agentPath()}/voice-sessions`, call)).status, 404);
});

describe('the simulator of conversations', () => {
  const start = (channel: string, text: string) => team('POST', `${agentPath()}/conversations`, { channel, text });

  it('rejects an unknown channel', async () => {
    assert.equal((await start('fax', 'Hello')).status, 422);
  });

  it('stores the rating of a reply, which the list of messages returns', async () => {
    const { body } = await start('website', 'Where can I park?');
    const path = `/conversations/${body.conversation_id}/messages`;
    const listed = (await tested.api('GET', path)).body.data;
    const question = listed.find(({ role }: any) => role === 'user');
    const reply = listed.find(({ role }: any) => role === 'assistant');
    assert.equal(reply.feedback, null);
    const bad = { rating: -1, comment: 'Too long' };
    assert.deepEqual((await team('POST', `/messages/${reply.id}/feedback`, bad)).body.feedback, bad);
    const { status } = await team('POST', `/messages/${reply.id}/feedback`, { rating: 1 });
    assert.equal(status, 200);
    const read = (await tested.api('GET', path)).body.data.find(({ id }: any) => id === reply.id);
    assert.deepEqual(read.feedback, { rating: 1 });
    assert.equal((await team('POST', `/messages/${reply.id}/feedback`, { rating: 5 })).status, 422);
    assert.equal((await team('POST', `/messages/${question.id}/feedback`, { rating: 1 })).status, 409);
    assert.equal((await team('POST', '/messages/msg_none/feedback', { rating: 1 })).status, 404);
  });
});
