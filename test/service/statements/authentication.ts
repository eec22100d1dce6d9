/** Statements of the contract about keys. */
import assert from 'node:assert/strict';
import { hour, minute } from './context.ts';
import { about, assertError, inSection, once, type Statement } from './statement.ts';

const section = inSection('Authentication');

const secretKeys: Statement[] = [
  section('A secret key begins with svc_sk_.', async (context) => {
    assert.match(await context.makeKey(), /^svc_sk_/);
  }),
  section('A publishable key begins with svc_pk_.', async (context) => {
    assert.match(await context.makeKey({ kind: 'publishable' }), /^svc_pk_/);
  }),
  section('A key is shown once: no later response has it.', async (context) => {
    const { id, key } = await context.makeKeyWithId({ scopes: [] });
    const later = [
      await context.get('/me', { key }),
      await context.team('GET', '/overview'),
      await context.team('GET', '/audit-log?limit=5'),
    ];
    assert.ok(JSON.stringify(later).includes(id));
    assert.ok(!JSON.stringify(later).includes(key.slice('svc_sk_'.length)));
  }),
  section('A key is sent as a bearer token in the header Authorization.', async (context) => {
    const key = await context.makeKey({ scopes: [] });
    const headers = { authorization: `Bearer ${key}` };
    assert.equal((await context.send('GET', '/api/v2/me', { headers })).status, 200);
  }),
  section('A call without the header Authorization returns 401 missing_key.', async (context) => {
    assertError(await context.call('GET', '/me', { key: null }), 401, 'missing_key');
  }),
  section('A header Authorization that is no bearer token returns 401 missing_key.', async (context) => {
    for (const authorization of ['Basic YTpi', 'svc_sk_x', 'Bearer']) {
      assertError(await context.call('GET', '/me', { key: null, headers: { authorization } }), 401, 'missing_key');
    }
  }),
  section('A key in the query is not accepted.', async (context) => {
    const key = await context.makeKey({ scopes: [] });
    assertError(await context.call('GET', `/me?key=${key}&access_token=${key}`, { key: null }), 401, 'missing_key');
  }),
  section('An unknown key returns 401 invalid_key.', async (context) => {
    assertError(await context.call('GET', '/me', { key: `svc_sk_${'a'.repeat(32)}` }), 401, 'invalid_key');
  }),
  section('The public key of an agent is not accepted as a key.', async (context) => {
    const { public_key } = await context.get(`/agents/${context.agentId}`);
    assertError(await context.call('GET', '/me', { key: public_key }), 401, 'invalid_key');
  }),
  section('A revoked key returns 401 invalid_key at once.', async (context) => {
    const { id, key } = await context.makeKeyWithId({ scopes: [] });
    assert.equal((await context.call('GET', '/me', { key })).status, 200);
    await context.team('DELETE', `/keys/${id}`);
    assertError(await context.call('GET', '/me', { key }), 401, 'invalid_key');
  }),
  section('A key past its expiry returns 401 expired_key.', async (context) => {
    const expiresAt = new Date((await context.now()) + hour).toISOString();
    const key = await context.makeKey({ scopes: [], expiresAt });
    assert.equal((await context.call('GET', '/me', { key })).status, 200);
    await context.advance(hour + minute);
    assertError(await context.call('GET', '/me', { key }), 401, 'expired_key');
  }),
  section('The key of a maker whose membership ended in another way returns 401 key_maker_left.', async (context) => {
    assertError(await context.call('GET', '/me', { key: context.world.orphanedKey }), 401, 'key_maker_left');
  }),
  section('The keys of a member who is removed are revoked, and return 401 invalid_key.', async (context) => {
    const { memberId, key } = context.world.removed;
    assert.equal((await context.call('GET', '/me', { key })).status, 200);
    await context.team('DELETE', `/members/${memberId}`);
    assertError(await context.call('GET', '/me', { key }), 401, 'invalid_key');
  }),
  section(
    'A key is limited by the role of its maker: a call beyond it returns 403 maker_role_limit.',
    async (context) => {
      const { key } = context.world.editor;
      assertError(await context.call('GET', '/webhooks', { key }), 403, 'maker_role_limit');
      assert.equal((await context.call('GET', '/agents', { key })).status, 200);
    },
  ),
  section('A key follows a change of its maker’s role at once.', async (context) => {
    const { memberId, key } = context.world.editor;
    const listWebhooks = async () => (await context.call('GET', '/webhooks', { key })).status;
    await context.team('PATCH', `/members/${memberId}`, { role: 'admin' });
    const asAdmin = await listWebhooks();
    await context.team('PATCH', `/members/${memberId}`, { role: 'viewer' });
    const write = await context.call('POST', '/contacts', { key, body: { external_id: 'viewer' } });
    await context.team('PATCH', `/members/${memberId}`, { role: 'editor' });
    assert.deepEqual([asAdmin, await listWebhooks()], [200, 403]);
    assertError(write, 403, 'maker_role_limit');
  }),
  section('A key carries only the scopes it was given.', async (context) => {
    const key = await context.makeKey({ scopes: ['agents:read'] });
    assert.deepEqual((await context.get('/me', { key })).key.scopes, ['agents:read']);
    assertError(await context.call('GET', '/contacts', { key }), 403, 'insufficient_scope');
  }),
  section('The scope of a write does not include that of a read.', async (context) => {
    const key = await context.makeKey({ scopes: ['agents:write', 'contacts:write', 'leads:write', 'tickets:write'] });
    for (const path of ['/agents', '/contacts', '/leads', '/tickets']) {
      assertError(await context.call('GET', path, { key }), 403, 'insufficient_scope');
    }
  }),
];

const starter = once(async (context) => {
  const key = await context.makeKey({ scopes: ['agents:read', 'chat'] });
  const onStarter = await context.onPlan('starter', async () => ({
    me: await context.call('GET', '/me', { key }),
    agents: await context.call('GET', '/agents', { key }),
    chat: await context.chat('Hello', { key }),
  }));
  return { ...onStarter, team: await context.onPlan('team', () => context.call('GET', '/agents', { key })) };
});

const plans: Statement[] = [
  ...about(section, starter, {
    'On a plan without the API, every call returns 403 plan_required.': ({ me, agents, chat }) => {
      for (const response of [me, agents, chat]) assertError(response, 403, 'plan_required');
    },
    'The error about a plan without the API names the plan to move to.': ({ agents }) =>
      assert.equal(agents.error.required_plan, 'team'),
    'The API is included from the team plan up.': ({ team }) => assert.equal(team.status, 200),
  }),
];

const publishable: Statement[] = [
  section('A publishable key without the scope chat gets 403 insufficient_scope from the chat.', async (context) => {
    const key = await context.makeKey({ kind: 'publishable', scopes: [] });
    const response = await context.chat('Hello', { key });
    assertError(response, 403, 'insufficient_scope');
    assert.equal(response.error.required_scope, 'chat');
  }),
  section('A publishable key continues a conversation with the token of the first response.', async (context) => {
    const key = await context.makeKey({ kind: 'publishable' });
    const { conversation_id, conversation_token } = (await context.chat('Hello', { key })).body;
    const { status, body } = await context.chat('Thanks', { key, conversation_id, conversation_token });
    assert.deepEqual([status, body.conversation_id], [200, conversation_id]);
  }),
  section('A key with an allowlist reaches the chat of the agents in it only.', async (context) => {
    const agent = await context.someAgent();
    const key = await context.makeKey({ kind: 'publishable', agentIds: [agent] });
    assert.equal((await context.chat('Hello', { key, to: agent })).status, 200);
    assertError(await context.chat('Hello', { key }), 404, 'not_found');
  }),
];

export const authenticationStatements: Statement[] = [...secretKeys, ...plans, ...publishable];
