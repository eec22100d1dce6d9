/** Statements of the contract about actions. */
import assert from 'node:assert/strict';
import type { StatementContext } from './context.ts';
import * as is from './field-types.ts';
import { about, assertError, assertInvalid, fieldStatements, inSection, once, type Statement } from './statement.ts';

export const create = (context: StatementContext, agent: string, body: object, headers = {}) =>
  context.call('POST', `/agents/${agent}/actions`, { body, headers });
export const change = (context: StatementContext, agent: string, action: string, body: object) =>
  context.call('PATCH', `/agents/${agent}/actions/${action}`, { body });

/** Serves the agent's public key at the host of the actions, and has the owner verify the host of an action. */
export const verifyHost = async (context: StatementContext, agent: string, action: string): Promise<void> => {
  const { public_key } = await context.get(`/agents/${agent}`);
  context.server.route('/.well-known/workspace-assistant.txt', (response) => response.end(`${public_key}\n`));
  const { host_verified } = await context.team('POST', `/agents/${agent}/actions/${action}/verify-host`, {});
  assert.equal(host_verified, true);
};

const secret = 'Bearer 4c3b2a19';
const complete = {
  name: 'check_stock',
  kind: 'http',
  description_en: 'Reads the stock.',
  description_ar: 'يقرأ المخزون.',
  method: 'PUT',
  url_template: 'https://93.184.216.34/stock/{item}',
  headers: { Authorization: secret, 'X-Shop': 'one' },
  input_schema: { type: 'object', properties: { item: { type: 'string' } } },
  output_pick: ['left', 'place.name'],
  data_access: 'visitor',
  requires_approval: true,
};

/** An agent with an action of each kind. */
export const recorded = once(async (context) => {
  const agent = await context.someAgent();
  const created = await create(context, agent, complete);
  const bare = await create(context, agent, {});
  const ids = [created.body.id, bare.body.id];
  for (const kind of ['collect_data', 'client_tool', 'integration']) {
    const { status, body } = await create(context, agent, { name: `a_${kind}`, kind, enabled: true });
    assert.equal(status, 201);
    ids.push(body.id);
  }
  const list = await context.get(`/agents/${agent}/actions`);
  return { agent, created, bare, ids, list };
});

const read = async (context: StatementContext) => (await recorded(context)).list.data as object[];
const kinds = ['http', 'collect_data', 'client_tool', 'integration'];
const fields = fieldStatements('Action', read, [
  ['id', is.id, 'The id of an action is a text.'],
  ['agent_id', is.id, 'An action has the id of its agent.'],
  ['name', is.text, 'The name of an action is a text.'],
  ['kind', is.oneOf(...kinds), 'The kind of an action is http, collect_data, client_tool or integration.'],
  ['description_en', is.text, 'An action has an English description.'],
  ['description_ar', is.text, 'An action has an Arabic description.'],
  ['method', is.text, 'An action has an HTTP method.'],
  ['url_template', is.text, 'An action has a URL template.'],
  ['host', is.text, 'An action has the host of its URL.'],
  ['host_verified', is.flag, 'An action says whether its host is verified.'],
  ['input_schema', is.record, 'The input schema of an action is an object.'],
  ['output_pick', is.listOf(is.text), 'The picked outputs of an action are a list of texts.'],
  ['data_access', is.text, 'An action has an access to data.'],
  ['requires_approval', is.flag, 'An action says whether the team has to approve its calls.'],
  ['enabled', is.flag, 'An action says whether it is enabled.'],
  ['has_headers', is.flag, 'An action says whether it has headers.'],
  ['header_names', is.listOf(is.matching(/^[\w-]+$/)), 'The header names of an action are a list of texts.'],
  ['created_at', is.optional(is.time), 'An action shows when it was created.'],
  ['updated_at', is.optional(is.time), 'An action shows when it was last changed.'],
]);

const resource = inSection('Action');
const values: Statement[] = [
  ...(
    [
      'name',
      'kind',
      'description_en',
      'description_ar',
      'method',
      'url_template',
      'input_schema',
      'output_pick',
      'data_access',
      'requires_approval',
    ] as const
  ).map((field) =>
    resource(`A new action has the ${field} that was sent.`, async (context) => {
      const { created } = await recorded(context);
      assert.deepEqual(created.body[field], complete[field]);
    }),
  ),
  ...about(resource, recorded, {
    'The host of an action is that of its URL template.': ({ created }) =>
      assert.equal(created.body.host, '93.184.216.34'),
    'An action with headers has their names.': ({ created: { body } }) =>
      assert.deepEqual([body.has_headers, body.header_names], [true, ['Authorization', 'X-Shop']]),
    'The values of an action’s headers are never returned.': async ({ created, list, agent }, context) => {
      const changed = await change(context, agent, created.body.id, { description_en: 'Reads.' });
      const shown = JSON.stringify([created.body, list, changed.body]);
      assert.ok(!shown.includes('4c3b2a19'));
    },
  }),
];

const assertHasAll = (list: { data: { id: string }[] }, ids: string[]): void => {
  const listed = list.data.map(({ id: each }) => each);
  for (const each of ids) assert.ok(listed.includes(each), `${each} is not in ${listed.join()}`);
};

const operation = inSection('Actions and submissions');
const reading: Statement[] = [
  ...about(operation, recorded, {
    'GET /agents/{agent_id}/actions lists the actions of an agent.': ({ ids, list, agent }) => {
      assertHasAll(list, ids);
      assert.ok(list.data.every((action: any) => action.agent_id === agent));
    },
    'The list of actions takes no paging parameters and has all actions.': async ({ agent, ids }, context) =>
      assertHasAll(await context.get(`/agents/${agent}/actions?limit=1`), ids),
    'The actions of an agent outside of the allowlist are not found.': async ({ agent }, context) => {
      const key = await context.makeKey({ scopes: ['agents:read'], agentIds: [context.agentId] });
      assertError(await context.call('GET', `/agents/${agent}/actions`, { key }), 404, 'not_found');
    },
  }),
];

const creating: Statement[] = [
  ...about(operation, recorded, {
    'POST /agents/{agent_id}/actions returns 201 with the action.': ({ created, agent }) =>
      assert.deepEqual([created.status, created.body.agent_id], [201, agent]),
    'All fields of a new action are optional.': ({ bare }) => {
      assert.equal(bare.status, 201);
      assert.ok(bare.body.name.length > 0);
    },
    'A new action is disabled unless enabled is true.': ({ bare, list }) => {
      assert.equal(bare.body.enabled, false);
      assert.equal(list.data.find(({ name }: any) => name === 'a_client_tool').enabled, true);
    },
    'An http action cannot be enabled before its host is verified.': async ({ agent, created }, context) => {
      const body = { name: 'eager', url_template: 'https://93.184.216.34/', enabled: true };
      assert.equal((await create(context, agent, body)).status, 409);
      assert.equal((await change(context, agent, created.body.id, { enabled: true })).status, 409);
    },
  }),
  operation('An http action can be enabled when its host is verified.', async (context) => {
    const agent = await context.someAgent();
    const { url } = context.server.route('/door', (response) => response.end('{}'));
    const { body } = await create(context, agent, { name: 'door', url_template: url });
    await verifyHost(context, agent, body.id);
    const { status, body: enabled } = await change(context, agent, body.id, { enabled: true });
    assert.deepEqual([status, enabled.enabled, enabled.host_verified], [200, true, true]);
  }),
  operation('An unknown kind, method or access to data of an action is rejected.', async (context) => {
    const { agent } = await recorded(context);
    assertInvalid(await create(context, agent, { kind: 'email' }), 'kind');
    assertInvalid(await create(context, agent, { method: 'FETCH' }), 'method');
    assertInvalid(await create(context, agent, { data_access: 'everything' }), 'data_access');
  }),
  ...(
    [
      ['headers', ['x']],
      ['input_schema', 'object'],
      ['output_pick', 'all'],
      ['requires_approval', 'yes'],
      ['enabled', 1],
      ['config', []],
    ] as const
  ).map(([field, value]) =>
    operation(`The field ${field} of an action is rejected with a value of another type.`, async (context) => {
      const { agent } = await recorded(context);
      assertInvalid(await create(context, agent, { [field]: value }), field);
    }),
  ),
  operation('POST /agents/{agent_id}/actions honors its Idempotency-Key.', async (context) => {
    const [first, again] = await context.repeat(`/agents/${await context.someAgent()}/actions`, { name: 'once' });
    assert.deepEqual([again.status, again.body], [201, first.body]);
  }),
];

export const actionStatements: Statement[] = [fields, values, reading, creating].flat();
