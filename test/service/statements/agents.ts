/** Statements of the contract about agents. */
import assert from 'node:assert/strict';
import { hour, type StatementContext } from './context.ts';
import * as is from './field-types.ts';
import { assertError, assertInvalid, fieldStatements, inSection, once, type Statement } from './statement.ts';
import { valuesOf } from '../../support/values-of.ts';

/** Agents in each status and language, as the list shows them. */
const examples = once(async (context) => {
  for (const [status, language] of [
    ['retired', 'english'],
    ['live', 'arabic'],
  ]) {
    const agent = await context.team('POST', '/agents', { name: `A ${status} agent`, language });
    await context.team('PATCH', `/agents/${agent.id}`, { status });
  }
  return (await context.get('/agents?limit=100')).data as any[];
});

const patch = (context: StatementContext, agent: string, body: object) =>
  context.call('PATCH', `/agents/${agent}`, { body });

const read = async (context: StatementContext) => (await context.get('/agents?limit=100')).data as object[];
const fields = fieldStatements('Agent', read, [
  ['id', is.id, 'The id of an agent is a text.'],
  ['name', is.matching(/^.{1,120}$/u), 'The name of an agent has 1 to 120 characters.'],
  ['status', is.oneOf('live', 'paused', 'retired'), 'The status of an agent is live, paused or retired.'],
  ['language', is.oneOf('english', 'arabic', 'bilingual'), 'The language of an agent is english, arabic or bilingual.'],
  ['public_key', is.matching(/^pk_/), 'The public key of an agent, which is not a secret, begins with pk_.'],
  ['allowed_origins', is.listOf(is.text), 'The allowed origins of an agent are a list of websites.'],
  ['conversations_per_month', is.integer, 'The monthly allowance that an agent shows is an integer.'],
  ['created_at', is.optional(is.time), 'An agent shows when it was created.'],
  ['updated_at', is.optional(is.time), 'An agent shows when it was last changed.'],
]);

const resource = inSection('Agent');
const values: Statement[] = [
  ...(['live', 'paused', 'retired'] as const).map((status) =>
    resource(`An agent that is ${status} shows the status ${status}.`, async (context) => {
      assert.ok((await examples(context)).some((agent) => agent.status === status));
    }),
  ),
  resource('The monthly allowance of an agent is the number of conversations of the plan.', async (context) => {
    const agent = await context.get(`/agents/${context.agentId}`);
    assert.equal(agent.conversations_per_month, (await context.get('/usage')).conversations_per_agent);
  }),
];

const operation = inSection('Agents');
const reading: Statement[] = [
  operation('GET /agents lists the agents of the workspace in pages.', async (context) => {
    await context.makeAgent();
    const { data, next_cursor } = await context.get('/agents?limit=1');
    assert.equal(data.length, 1);
    const next = await context.get(`/agents?limit=1&cursor=${next_cursor}`);
    assert.notEqual(next.data[0].id, data[0].id);
  }),
  operation('The list of agents is newest first.', async (context) => {
    const older = await context.someAgent();
    await context.advance(1000);
    const newer = await context.someAgent();
    const { data } = await context.get('/agents?limit=2');
    assert.deepEqual([data[0].id, data[1].id], [newer, older]);
  }),
  operation('GET /agents shows a key with an allowlist only the agents of the allowlist.', async (context) => {
    const key = await context.makeKey({ scopes: ['agents:read'], agentIds: [context.pausedAgentId] });
    const { data } = await context.get('/agents', { key });
    assert.deepEqual(valuesOf(data, 'id'), [context.pausedAgentId]);
  }),
  operation('GET /agents/{agent_id} returns the agent with that id.', async (context) => {
    const agent = await context.get(`/agents/${context.agentId}`);
    const listed = (await context.get('/agents?limit=100')).data.find((each: any) => each.id === context.agentId);
    assert.deepEqual(agent, listed);
  }),
  operation('GET /agents/{agent_id} returns 404 not_found for an agent outside of the allowlist.', async (context) => {
    const key = await context.makeKey({ scopes: ['agents:read'], agentIds: [context.pausedAgentId] });
    assertError(await context.call('GET', `/agents/${context.agentId}`, { key }), 404, 'not_found');
  }),
];

const changing: Statement[] = [
  operation('PATCH /agents/{agent_id} changes the name and returns the agent.', async (context) => {
    const agent = await context.someAgent();
    const { status, body } = await patch(context, agent, { name: 'Renamed' });
    assert.deepEqual([status, body.id, body.name], [200, agent, 'Renamed']);
    assert.equal((await context.get(`/agents/${agent}`)).name, 'Renamed');
  }),
  operation('A rename moves the time of the last change.', async (context) => {
    const agent = await context.someAgent();
    const before = await context.get(`/agents/${agent}`);
    await context.advance(1000);
    const { body } = await patch(context, agent, { name: 'Renamed again' });
    assert.ok(Date.parse(body.updated_at) > Date.parse(before.updated_at));
    assert.equal(body.created_at, before.created_at);
  }),
  operation('An agent can have a name of one character, and of 120.', async (context) => {
    const agent = await context.someAgent();
    for (const name of ['A', 'b'.repeat(120)]) assert.equal((await patch(context, agent, { name })).body.name, name);
  }),
  operation('An agent cannot have an empty name.', async (context) => {
    assertInvalid(await patch(context, await context.someAgent(), { name: '' }), 'name');
  }),
  operation('An agent cannot have a name of 121 characters.', async (context) => {
    assertInvalid(await patch(context, await context.someAgent(), { name: 'x'.repeat(121) }), 'name');
  }),
  operation('PATCH /agents/{agent_id} replaces the list of allowed origins.', async (context) => {
    const agent = await context.someAgent();
    await patch(context, agent, { allowed_origins: ['https://one.example', 'https://two.example'] });
    const { body } = await patch(context, agent, { allowed_origins: ['https://three.example'] });
    assert.deepEqual(body.allowed_origins, ['https://three.example']);
  }),
  operation('The domain of an international origin is stored in its DNS form.', async (context) => {
    const { body } = await patch(context, await context.someAgent(), { allowed_origins: ['https://münchen.example'] });
    assert.deepEqual(body.allowed_origins, ['https://xn--mnchen-3ya.example']);
  }),
  operation('Origins are cleaned: a path is removed, and the host is in lower case.', async (context) => {
    const { body } = await patch(context, await context.someAgent(), { allowed_origins: ['https://Shop.Example/a?b'] });
    assert.deepEqual(body.allowed_origins, ['https://shop.example']);
  }),
  operation('An origin is listed once, even when it is sent twice.', async (context) => {
    const twice = ['https://a.example', 'https://A.example/'];
    const { body } = await patch(context, await context.someAgent(), { allowed_origins: twice });
    assert.deepEqual(body.allowed_origins, ['https://a.example']);
  }),
  operation('An origin that is no website is rejected.', async (context) => {
    const agent = await context.someAgent();
    assertInvalid(await patch(context, agent, { allowed_origins: ['ftp://a.example'] }), 'allowed_origins.0');
    assertInvalid(await patch(context, agent, { allowed_origins: ['https://*.example.com'] }), 'allowed_origins.0');
  }),
  operation('Only the name and the origins of an agent are writable.', async (context) => {
    const agent = await context.someAgent();
    const before = await context.get(`/agents/${agent}`);
    const others = { status: 'paused', language: 'arabic', public_key: 'pk_mine', conversations_per_month: 1, id: 'x' };
    assertInvalid(await patch(context, agent, others));
    await patch(context, agent, { ...others, name: before.name });
    const { updated_at: _, ...after } = await context.get(`/agents/${agent}`);
    assert.deepEqual({ ...after, updated_at: before.updated_at }, before);
  }),
  operation('A change of the origins by a key is in the audit log, with the key.', async (context) => {
    const agent = await context.someAgent();
    const { id: keyId, key } = await context.makeKeyWithId({ scopes: ['agents:write'] });
    const body = { allowed_origins: ['https://audited.example'] };
    await context.call('PATCH', `/agents/${agent}`, { key, body });
    const { data } = await context.team('GET', '/audit-log?limit=10');
    const entry = data.find(({ target }: any) => target === agent && target !== keyId);
    assert.deepEqual([entry.action, entry.key_id], ['agent.origins_changed', keyId]);
  }),
  operation('Too many changes of the origins in an hour return 429 rate_limited with Retry-After.', async (context) => {
    await context.advance(hour);
    const agent = await context.someAgent();
    const change = (at: number) => patch(context, agent, { allowed_origins: [`https://site${at}.example`] });
    let response = await change(0);
    let changes = 0;
    while (response.status === 200 && changes < 200) response = await change(++changes);
    assertError(response, 429, 'rate_limited');
    const wait = Number(response.headers.get('retry-after'));
    assert.ok(wait > 60 && wait <= hour / 1000, `It waits for the hour, not for the minute: ${wait}`);
    await context.advance(hour);
    assert.equal((await change(1000)).status, 200);
  }),
];

export const agentStatements: Statement[] = [...fields, ...values, ...reading, ...changing];
