import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eq } from 'drizzle-orm';
import {
  agents,
  auditEntries,
  identitySecrets,
  members,
  notices,
  sources,
  webhookEndpoints,
} from '../../service/db/schema.ts';
import type { Dependencies } from '../../service/http/dependencies.ts';
import { createTeamApp } from '../../service/team/app.ts';
import { auditedCalls } from '../../service/team/audit-calls.ts';
import { addWorkspace } from '../support/servers/workspaces.ts';
import { rejectChanges } from './scenarios.ts';
import { useTestService } from './support.ts';

const tested = useTestService();
const team = (method: string, path: string, body?: object, key?: string) => tested.callTeam(method, path, body, key);

const ada = { name: 'Ada', email: 'Ada@workspace.example', role: 'editor' };

describe('the dashboard, for agents', () => {
  it('creates an agent that replies, and retires it', async () => {
    const key = tested.secretKey;
    const created = await team('POST', '/agents', {
      name: ' Night desk ',
      language: 'english',
      time_zone: 'Asia/Muscat',
    });
    const { id, public_key, ...rest } = created.body;
    assert.equal(created.status, 201);
    assert.deepEqual(rest, { name: 'Night desk', status: 'live', language: 'english', time_zone: 'Asia/Muscat' });
    assert.match(public_key, /^pk_/);
    const { body: listed } = await tested.call('GET', '/agents', { key });
    assert.ok(listed.data.some((agent: any) => agent.id === id && agent.name === 'Night desk'));
    const chat = () =>
      tested.call('POST', `/agents/${id}/chat`, { key, body: { messages: [{ role: 'user', content: 'Hi' }] } });
    assert.equal((await chat()).status, 200);
    assert.equal((await team('PATCH', `/agents/${id}`, { status: 'retired' })).body.status, 'retired');
    assert.equal((await chat()).error.code, 'not_found');
  });

  it('sets the websites of an agent as the API does, and records it', async () => {
    const path = `/agents/${tested.agentId}`;
    const { status, body } = await team('PATCH', path, {
      allowed_origins: [' Shop.Example/cart ', 'http://x.example'],
    });
    assert.deepEqual([status, body.allowed_origins], [200, ['https://shop.example', 'http://x.example']]);
    const { body: overview } = await team('GET', '/overview');
    const shown = overview.agents.find(({ id }: { id: string }) => id === tested.agentId);
    assert.deepEqual(shown.allowed_origins, body.allowed_origins);
    const [entry] = await tested.rows(auditEntries, eq(auditEntries.action, 'agent.origins_changed'));
    assert.deepEqual(entry!.detail['after'], body.allowed_origins);
    const wrong = await team('PATCH', path, { allowed_origins: ['https://*.example'] });
    assert.deepEqual([wrong.status, wrong.body.error.details[0].field], [422, 'allowed_origins.0']);
    assert.equal((await team('PATCH', path, { name: 'Front desk' })).body.allowed_origins.length, 2);
  });
});

describe('the dashboard, for members', () => {
  it('invites a member with a notice, and not the same person twice', async () => {
    const invited = await team('POST', '/members', { ...ada, agent_ids: [tested.agentId] });
    assert.equal(invited.status, 201);
    assert.match(invited.body.id, /^mem_/);
    assert.deepEqual([invited.body.role, invited.body.agent_ids], ['editor', [tested.agentId]]);
    const sent = await tested.rows(notices, eq(notices.kind, 'member_invited'));
    assert.deepEqual([sent[0]?.recipient, sent[0]?.detail], [ada.email, { role: 'editor' }]);
    const again = await team('POST', '/members', { ...ada, email: 'ada@WORKSPACE.example' });
    assert.deepEqual([again.status, again.body.error.details], [409, 'member_exists']);
    assert.equal((await team('POST', '/members', { ...ada, agent_ids: ['agt_none'] })).status, 404);
    assert.equal((await team('DELETE', `/members/${invited.body.id}`)).status, 204);
    const back = await team('POST', '/members', ada);
    assert.equal(back.status, 201, 'a former member may be invited again');
    await team('DELETE', `/members/${back.body.id}`);
  });

  it('changes a role and the agents of a member', async () => {
    const { id } = (await team('POST', '/members', { ...ada, role: 'admin' })).body;
    const changed = await team('PATCH', `/members/${id}`, { role: 'viewer', agent_ids: [tested.agentId] });
    assert.deepEqual([changed.body.role, changed.body.agent_ids], ['viewer', [tested.agentId]]);
    assert.equal((await team('PATCH', `/members/${id}`, {})).body.role, 'viewer', 'nothing else changes');
    assert.equal((await team('DELETE', `/members/${id}`)).status, 204);
    assert.equal((await team('PATCH', `/members/${id}`, { role: 'admin' })).status, 404);
  });

  it('does not change or remove the owner, or a member of another workspace', async () => {
    const other = await addWorkspace(tested.service.db);
    const theirs = { id: 'mem_theirs', name: 'T', email: 't@other.example', role: 'admin' as const };
    const [agent] = await tested.rows(agents, eq(agents.id, other.agentId));
    await tested.add(members, { ...theirs, workspaceId: agent!.workspaceId, createdAt: new Date(tested.clock.now) });
    for (const [id, status] of [
      ['mem_salma', 409],
      ['mem_theirs', 404],
    ] as const) {
      assert.equal((await team('PATCH', `/members/${id}`, { role: 'viewer' })).status, status);
      assert.equal((await team('DELETE', `/members/${id}`)).status, status);
    }
  });
});

it('the dashboard changes the plan, which does not limit the dashboard', async () => {
  assert.equal((await team('PATCH', '/workspace', { plan: 'starter' })).body.plan, 'starter');
  assert.equal((await team('GET', '/overview')).body.usage.plan, 'starter');
  assert.equal((await team('PATCH', '/workspace', { plan: 'business' })).status, 200);
});

describe('the audit log', () => {
  it('has an entry for a reply, a closed ticket, a source and a top-up, without texts', async () => {
    const { conversation_id } = (await tested.chat('I want to talk to a human', { key: tested.secretKey })).body;
    const { tickets } = (await team('GET', '/inbox')).body;
    const ticket = tickets.find((each: any) => each.conversation_id === conversation_id).id;
    await tested.service.db.delete(auditEntries);
    const source = { type: 'file', name: 'secret.md', text: 'A secret text' };
    for (const [method, path, body] of [
      ['POST', `/conversations/${conversation_id}/reply`, { text: 'A secret text' }],
      ['PATCH', `/tickets/${ticket}`, { status: 'closed', custom: {} }],
      ['POST', `/conversations/${conversation_id}/close`],
      ['POST', `/agents/${tested.agentId}/sources`, source],
      ['POST', '/top-ups', { conversations: 5 }],
      ['POST', '/top-ups', { conversations: 0 }],
    ] as const) {
      tested.clock.now += 1000;
      await team(method, path, body);
    }
    const entries = await tested.rows(auditEntries);
    assert.deepEqual(
      entries
        .toSorted((a, b) => Number(a.createdAt) - Number(b.createdAt))
        .map(({ action, target, detail }) => [action, target, Object.keys(detail)]),
      [
        ['conversation.replied', conversation_id, []],
        ['ticket.changed', ticket, ['status']],
        ['conversation.closed', conversation_id, []],
        ['agent.source_added', tested.agentId, ['source_id']],
        ['workspace.topped_up', 'wsp_palm_and_clay', ['conversations']],
      ],
    );
    assert.ok(entries.every(({ memberId, apiKeyId }) => memberId === 'mem_salma' && apiKeyId !== null));
    assert.doesNotMatch(JSON.stringify(entries), /secret/);
  });

  it('has the entry of a change, or nothing is changed', async () => {
    const path = `/agents/${tested.agentId}`;
    const question = { question: 'Is there a car park?', answer: 'Yes, behind the villa.' };
    await team('POST', `${path}/identity-secret`);
    const { id } = (await tested.api('POST', '/webhooks', { url: 'https://93.184.216.34/', events: ['lead.created'] }))
      .body;
    const read = async () => ({
      secrets: await tested.rows(identitySecrets),
      endpoint: (await tested.rows(webhookEndpoints, eq(webhookEndpoints.id, id)))[0]!.enabled,
      batches: (await tested.rows(sources)).length,
    });
    const before = await read();
    const accept = await rejectChanges(tested.service.db, 'insert on audit_entries');
    const calls = [
      ['POST', `${path}/identity-secret`, {}],
      ['PATCH', `/webhooks/${id}`, { enabled: false }],
      ['POST', `${path}/questions`, question],
    ] as const;
    for (const [method, at, body] of calls) assert.ok((await team(method, at, body)).status >= 500, at);
    await accept();
    assert.deepEqual(await read(), before);
    for (const [method, at, body] of calls) assert.ok((await team(method, at, body)).status < 300, at);
    await tested.api('DELETE', `/webhooks/${id}`);
  });

  it('has an entry for every operation that changes something', () => {
    const { routes } = createTeamApp({} as Dependencies);
    const changing = new Set(
      routes
        .filter(({ method }) => !['GET', 'ALL'].includes(method))
        .map(({ method, path }) => `${method} /team${path}`),
    );
    const withOwnEntry = [
      'POST /team/keys',
      'DELETE /team/keys/:id',
      'PATCH /team/webhooks/:id',
      'PATCH /team/workspace',
      'POST /team/agents',
      'PATCH /team/agents/:id',
      'POST /team/agents/:id/identity-secret',
      'POST /team/members',
      'PATCH /team/members/:id',
      'DELETE /team/members/:id',
      'POST /team/notices/:id/send',
      'POST /team/contacts/:id/export',
      'POST /team/contacts/:id/erase',
      'POST /team/agents/:id/sources',
      'POST /team/agents/:id/questions',
    ];
    assert.deepEqual([...changing].toSorted(), [...withOwnEntry, ...Object.keys(auditedCalls)].toSorted());
  });

  it('lists the changes of the team, newest first, in pages, without names and addresses', async () => {
    await tested.service.db.delete(auditEntries);
    const toAgent = { agent_ids: [tested.agentId] };
    const key = { kind: 'secret', scopes: ['leads:read'] };
    /** The id is that of the row that was made last. A change of nothing has no entry. */
    const changes: [method: string, path: string, body: object, action?: string, detail?: object][] = [
      ['POST', '/members', ada, 'member.invited', { role: 'editor' }],
      ['PATCH', '/members/ID', { role: 'agent' }, 'member.role_changed', { before: 'editor', after: 'agent' }],
      ['PATCH', '/members/ID', toAgent, 'member.agents_changed', { before: null, after: [tested.agentId] }],
      ['PATCH', '/members/ID', toAgent],
      ['DELETE', '/members/ID', {}, 'member.removed', {}],
      ['POST', '/keys', { label: 'x', ...key }, 'key.created', key],
      ['DELETE', '/keys/ID', {}, 'key.revoked', {}],
      ['POST', '/agents', { name: 'Audited' }, 'agent.created', {}],
      ['PATCH', '/agents/ID', { status: 'retired' }, 'agent.retired', { before: 'live' }],
      ['PATCH', '/agents/ID', { status: 'retired' }],
      ['POST', '/agents/ID/identity-secret', {}, 'agent.identity_secret_rotated', { end_previous: false }],
      ['PATCH', '/workspace', { plan: 'team' }, 'workspace.plan_changed', { before: 'business', after: 'team' }],
      ['PATCH', '/workspace', { plan: 'business' }, 'workspace.plan_changed', { before: 'team', after: 'business' }],
    ];
    let id = '';
    const expected: unknown[] = [];
    for (const [method, path, body, action, detail] of changes) {
      tested.clock.now += 1000;
      const made = await team(method, path.replace('ID', id), body);
      if (made.status === 201) id = made.body.id ?? id;
      if (action) expected.unshift([action, path === '/workspace' ? 'wsp_palm_and_clay' : id, detail]);
    }

    const first = (await team('GET', '/audit-log?limit=6')).body;
    const second = (await team('GET', `/audit-log?limit=6&cursor=${first.next_cursor}`)).body;
    assert.equal(second.next_cursor, null);
    const entries: any[] = [...first.data, ...second.data];
    assert.deepEqual(
      entries.map(({ action, target, detail }) => [action, target, detail]),
      expected,
    );
    assert.ok(entries.every((entry) => entry.member_id === 'mem_salma' && entry.key_id && entry.created_at));
    // A random id may contain the name: look for the whole value.
    assert.doesNotMatch(JSON.stringify(entries), /"Ada"|@workspace\.example|Audited/i);
    const other = await addWorkspace(tested.service.db);
    assert.deepEqual((await team('GET', '/audit-log', undefined, other.key)).body.data, []);
  });
});
