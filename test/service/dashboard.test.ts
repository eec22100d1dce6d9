import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { readPage } from '../../service/knowledge/website.ts';
import { Receiver } from './receiver.ts';
import { origin, createTestService, type TestService } from './support.ts';

let tested: TestService;
let key: string;
let receiver: Receiver;
let site: Server;
const pages: Record<string, string> = {
  '/': '<title>Home</title><nav><a href="/gone">Menu</a></nav><main><h1>Glaze</h1><p>We mix <b>ash glaze</b> here.</p><a href="/kiln#top">Kiln</a> <a href="https://other.example/">x</a></main><script>alert(1)</script>',
  '/kiln': '<title>The kiln</title><p>Our kiln is called Zubaida &amp; burns at 1240&#176;.</p>',
};
before(async () => {
  tested = await createTestService({ allowLoopback: true });
  key = tested.service.demo.secretKey;
  receiver = new Receiver(() => tested.clock.now);
  site = createServer((request, response) => {
    const page = pages[new URL(request.url!, 'http://site').pathname];
    response.writeHead(page ? 200 : 404, { 'content-type': 'text/html' }).end(page);
  });
  await Promise.all([receiver.listen(), new Promise<void>((done) => site.listen(0, '127.0.0.1', done))]);
});
after(async () => {
  receiver.close();
  site.close();
  await tested.service.close();
});
beforeEach(() => {
  tested.nextMinute();
  receiver.clear();
});

const team = async (method: string, path: string, body?: object): Promise<{ status: number; body: any }> => {
  const response = await tested.service.fetch(
    new Request(`${origin}/team${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );
  return { status: response.status, body: await response.json() };
};
const overview = async () => (await team('GET', '/overview')).body;
const agentPath = () => `/agents/${tested.agentId}`;
const source = async (id: string) => (await tested.call('GET', `${agentPath()}/sources/${id}`, { key })).body;

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
    const { body: before } = await tested.call('GET', `${agentPath()}/lead-fields`, { key });
    const added = { key: 'glaze', label_en: 'Glaze', label_ar: 'الطلاء', kind: 'select', options: ['Ash', 'Tin'] };
    const saved = await team('POST', `${agentPath()}/lead-fields`, { fields: [second, added, first] });
    assert.equal(saved.status, 200, JSON.stringify(saved.body));
    const { body } = await tested.call('GET', `${agentPath()}/lead-fields`, { key });
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

  it('applies ticket fields and tag rules to the next ticket', async () => {
    const fields = [{ key: 'shelf', label: 'Shelf', kind: 'select', options: ['A', 'B'] }];
    assert.equal((await team('POST', '/ticket-fields', { fields })).status, 200);
    assert.equal((await team('POST', '/tag-rules', { rules: [{ words: 'a human', tag: 'person' }] })).status, 200);
    await tested.chat('I want to talk to a human', { key });
    const [ticket] = (await team('GET', '/inbox')).body.tickets;
    assert.deepEqual(ticket.tags, ['person']);
    assert.equal((await team('PATCH', `/tickets/${ticket.id}`, { custom: { shelf: 'C' } })).status, 422);
    assert.deepEqual((await team('PATCH', `/tickets/${ticket.id}`, { custom: { shelf: 'B' } })).body.custom, {
      shelf: 'B',
    });
    const { ticket_fields, tag_rules } = await overview();
    assert.deepEqual([ticket_fields, tag_rules], [fields, [{ words: 'a human', tag: 'person' }]]);
    await team('POST', '/tag-rules', { rules: [] });
    assert.deepEqual((await overview()).tag_rules, []);
  });
});

it('adds purchased conversations to the quota of this month', async () => {
  const { pool } = (await overview()).usage;
  const bought = await team('POST', '/top-ups', { conversations: 250 });
  assert.equal(bought.status, 201);
  const { body } = await tested.call('GET', '/usage', { key });
  assert.deepEqual(
    [body.pool.top_ups, body.pool.remaining - pool.remaining, body.pool.included],
    [250, 250, pool.included],
  );
  assert.equal((await team('POST', '/top-ups', { conversations: 0 })).status, 422);
});

describe('the dashboard, for sources', () => {
  it('indexes a file, uses it in replies, and does not return its content', async () => {
    const text = '# Glazing night\n\nGlazing night is on the first Tuesday of each month.';
    const { status, body } = await team('POST', `${agentPath()}/sources`, { type: 'file', name: 'night.md', text });
    assert.deepEqual([status, body.type, body.status, body.content_sha256 ?? null], [202, 'file', 'uploaded', null]);
    await tested.service.work();
    assert.equal((await source(body.id)).status, 'indexed');
    const response = await tested.chat('When is glazing night?');
    assert.match(response.body.message!.content, /first Tuesday/);
    assert.equal(response.body.sources[0]!.filename, 'night.md');
    assert.equal((await tested.call('GET', `${agentPath()}/sources/${body.id}/content`, { key })).status, 404);
  });

  it('indexes a website with the pages that it links to', async () => {
    const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
    const { body } = await team('POST', `${agentPath()}/sources`, { type: 'website', url });
    assert.deepEqual([body.type, body.status, body.source_url], ['website', 'uploaded', url]);
    await tested.service.work();
    const read = await source(body.id);
    assert.deepEqual([read.status, read.error ?? null], ['indexed', null]);
    const response = await tested.chat('What is the kiln called?');
    assert.match(response.body.message!.content, /Zubaida/);
  });

  it('reports why a website failed, and rejects a private address', async () => {
    const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/gone`;
    const { body } = await team('POST', `${agentPath()}/sources`, { type: 'website', url });
    await tested.service.work();
    const failed = await source(body.id);
    assert.deepEqual([failed.status, failed.error], ['failed', 'http_status_404']);
    const refused = await team('POST', `${agentPath()}/sources`, { type: 'website', url: 'https://10.0.0.1/' });
    assert.deepEqual([refused.status, refused.body.error.details[0].code], [422, 'url_private']);
  });

  it('ignores scripts, menus and links to other sites', () => {
    const { text, links } = readPage(pages['/']!, 'https://a.example/');
    assert.equal(text, '# Glaze\n\nWe mix ash glaze here.\n\nKiln x');
    assert.deepEqual(links, ['https://a.example/gone', 'https://a.example/kiln']);
    assert.equal(readPage('<ul><li>One<li>Two &lt;b&gt;</ul>', 'https://a.example/').text, '- One\n- Two <b>');
  });
});

it('ends marketing consent permanently after a bounce or a complaint', async () => {
  const body = { email: 'mail@example.com', consent_marketing: true };
  const { body: contact } = await tested.call('POST', '/contacts', { key, body });
  assert.equal(contact.marketing_status, 'subscribed');
  for (const event of ['bounced', 'complained', 'unsubscribed']) {
    const updated = await team('POST', `/contacts/${contact.id}/mail`, { event });
    assert.deepEqual([updated.body.marketing_status, updated.body.consent_marketing], [event, false]);
    const again = { consent_marketing: true };
    const refused = await tested.call('PATCH', `/contacts/${contact.id}`, { key, body: again });
    assert.deepEqual([refused.status, refused.error.details], [409, 'marketing_suppressed']);
  }
  assert.equal((await team('POST', '/contacts/con_none/mail', { event: 'bounced' })).status, 404);
  assert.equal((await team('POST', `/contacts/${contact.id}/mail`, { event: 'subscribed' })).status, 422);
  assert.ok((await overview()).contacts.some(({ id }: any) => id === contact.id));
});

it('delivers the events of a sent campaign and an ended voice call', async () => {
  const events = ['campaign.sent', 'voice.session.ended'];
  const { body } = await tested.call('POST', '/webhooks', { key, body: { url: receiver.url, events } });
  receiver.secret = body.secret;
  await team('POST', '/campaigns', { name: 'Spring', recipients: 12 });
  const { body: asked } = await tested.chat('When are you open?', { key });
  const call = { conversation_id: asked.conversation_id, duration_seconds: 61 };
  assert.equal((await team('POST', `${agentPath()}/voice-sessions`, call)).status, 201);
  await tested.service.work();
  const of = (type: string) => receiver.received.find(({ event }) => event.type === type)!.event;
  const campaign = of('campaign.sent');
  assert.deepEqual([campaign.agent_id, campaign.data.name, campaign.data.recipients], [null, 'Spring', 12]);
  assert.equal(campaign.data.sent_at, new Date(tested.clock.now).toISOString());
  const voice = of('voice.session.ended');
  assert.equal(voice.agent_id, tested.agentId);
  assert.deepEqual(voice.data, { ...call, ended_at: new Date(tested.clock.now).toISOString() });
  const foreign = { conversation_id: 'cnv_none', duration_seconds: 1 };
  assert.equal((await team('POST', `${agentPath()}/voice-sessions`, foreign)).status, 404);
});

it('rejects chat calls to a retired agent', async () => {
  await team('PATCH', agentPath(), { status: 'retired' });
  assert.equal((await tested.chat('Hello')).status, 404);
  await team('PATCH', agentPath(), { status: 'live' });
  assert.equal((await tested.chat('Hello')).status, 200);
});
