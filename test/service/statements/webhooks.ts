/** Statements of the contract about webhook endpoints. */
import assert from 'node:assert/strict';
import { eventScopes, subscribableEvents } from '../../../service/core/event-types.ts';
import type { StatementContext } from './context.ts';
import { hanging } from './slow-deliveries.ts';
import * as is from './field-types.ts';
import { about, assertError, assertInvalid, fieldStatements, inSection, once, type Statement } from './statement.ts';
import { valuesOf } from '../../support/values-of.ts';

const url = 'https://93.184.216.34/hook';
const subscribe = (context: StatementContext, body: object, key?: string) =>
  context.call('POST', '/webhooks', { body: { url, events: ['lead.created'], ...body }, ...(key ? { key } : {}) });

const remove = async (context: StatementContext, endpoint: string) =>
  assert.equal((await context.call('DELETE', `/webhooks/${endpoint}`)).status, 204);

/** Two endpoints: one with what is required, and one with every property. */
const recorded = once(async (context) => {
  const plain = await subscribe(context, {});
  const complete = await subscribe(context, { agent_id: context.agentId, description: 'For the CRM' });
  const { data } = await context.get('/webhooks?limit=2');
  const shown = data.find(({ id: each }: any) => each === complete.body.id);
  const paged = await context.firstTwo('/webhooks');
  for (const { body } of [plain, complete]) await remove(context, body.id);
  return { plain, complete, shown, data, paged };
});

/** An endpoint that the owner switches off, and on again. */
const switched = once(async (context) => {
  const { body } = await subscribe(context, {});
  const path = `/webhooks/${body.id}`;
  const shown = async () => (await context.get('/webhooks?limit=100')).data.find((each: any) => each.id === body.id);
  await context.team('PATCH', path, { enabled: false });
  const disabled = await shown();
  await context.team('PATCH', path, { enabled: true });
  const enabled = await shown();
  await remove(context, body.id);
  return { disabled, enabled };
});

const read = async (context: StatementContext) => {
  const { data, plain, complete } = await recorded(context);
  return [...data, plain.body, complete.body] as object[];
};

const fields = fieldStatements('WebhookEndpoint', read, [
  ['id', is.id, 'The id of a webhook endpoint is a text.'],
  ['url', is.matching(/^https:/), 'A webhook endpoint has its URL.'],
  ['events', is.listOf(is.oneOf(...subscribableEvents)), 'A webhook endpoint has a list of event types.'],
  ['agent_id', is.optional(is.id), 'A webhook endpoint can have the one agent that it listens to.'],
  ['enabled', is.flag, 'A webhook endpoint says whether it is enabled.'],
  ['created_at', is.optional(is.time), 'A webhook endpoint shows when it was created.'],
  ['description', is.optional(is.text), 'A webhook endpoint can have a description.'],
  ['secret', is.optional(is.text), 'A new webhook endpoint has its signing secret.'],
]);

const readDisabled = async (context: StatementContext) => [(await switched(context)).disabled];
const reasons = is.oneOf('failures', 'owner', 'maker_left');
const disabledFields = fieldStatements('WebhookEndpoint', readDisabled, [
  ['disabled_reason', is.optional(reasons), 'A disabled endpoint shows one of three reasons.'],
]);

const resource = inSection('WebhookEndpoint');
const values: Statement[] = [
  ...about(resource, recorded, {
    'The secret of an endpoint is shown only when it is created.': ({ data, plain }) => {
      assert.ok(plain.body.secret.length > 20);
      assert.ok(data.every(({ secret }: any) => secret === undefined || secret === null));
    },
    'The secrets of two endpoints differ.': ({ plain, complete }) =>
      assert.notEqual(plain.body.secret, complete.body.secret),
    'The agent of an endpoint that listens to all agents is null.': ({ plain }) =>
      assert.equal(plain.body.agent_id, null),
    'The reason of an enabled endpoint is null.': ({ plain }) =>
      assert.deepEqual([plain.body.enabled, plain.body.disabled_reason], [true, null]),
    'An endpoint keeps the description and the agent that were sent.': ({ shown }, context) =>
      assert.deepEqual([shown.description, shown.agent_id], ['For the CRM', context.agentId]),
  }),
];

const operation = inSection('Webhook subscriptions');
const reading: Statement[] = [
  operation('GET /webhooks lists the endpoints in pages.', async (context) => {
    const { paged, complete, plain } = await recorded(context);
    assert.deepEqual([paged[0].id, paged[1].id], [complete.body.id, plain.body.id]);
  }),
  ...(['webhooks:read', 'webhooks:write'] as const).map((scope) =>
    operation(`The scope ${scope} is enough to list the endpoints.`, async (context) => {
      const key = await context.makeKey({ scopes: [scope] });
      assert.equal((await context.call('GET', '/webhooks', { key })).status, 200);
    }),
  ),
  operation('A key limited to some agents lists only endpoints of those agents.', async (context) => {
    const key = await context.makeKey({ scopes: ['webhooks:read'], agentIds: [context.agentId] });
    const whole = await subscribe(context, {});
    const own = await subscribe(context, { agent_id: context.agentId });
    const { data } = await context.get('/webhooks', { key });
    for (const { body } of [whole, own]) await remove(context, body.id);
    assert.deepEqual(valuesOf(data, 'id'), [own.body.id]);
  }),
  operation('The endpoint of a bot plugin is not listed, and its deletion returns 404 not_found.', async (context) => {
    const { pluginEndpointId } = context.world;
    const { data } = await context.get('/webhooks?limit=100');
    assert.ok(data.every((endpoint: any) => endpoint.id !== pluginEndpointId));
    assertError(await context.call('DELETE', `/webhooks/${pluginEndpointId}`), 404, 'not_found');
  }),
];

const creating: Statement[] = [
  operation('POST /webhooks returns 201 with the endpoint.', async (context) => {
    const { plain } = await recorded(context);
    assert.deepEqual([plain.status, plain.body.url, plain.body.events], [201, url, ['lead.created']]);
  }),
  operation('The URL of a new endpoint is required.', async (context) => {
    assertInvalid(await subscribe(context, { url: undefined }), 'url');
  }),
  operation('The events of a new endpoint are required.', async (context) => {
    assertInvalid(await subscribe(context, { events: undefined }), 'events');
    assertInvalid(await subscribe(context, { events: [] }), 'events');
  }),
  operation('An unknown event type is rejected.', async (context) => {
    assertInvalid(await subscribe(context, { events: ['lead.lost'] }), 'events');
  }),
  operation('An endpoint can listen to port 443 and to port 8443.', async (context) => {
    for (const port of [443, 8443]) {
      const { status, body } = await subscribe(context, { url: `https://93.184.216.34:${port}/hook` });
      assert.equal(status, 201);
      await remove(context, body.id);
    }
  }),
  ...(
    [
      ['http://93.184.216.34/hook', 'url_not_https', 'is not https'],
      ['https://10.0.0.1/hook', 'url_private', 'has a private host'],
      ['https://169.254.169.254/hook', 'url_private', 'has the host of a cloud’s metadata'],
      ['https://[fd00::1]/hook', 'url_private', 'has a private IPv6 host'],
      ['https://nowhere.invalid/hook', 'url_unresolved', 'has an unknown host'],
      ['https://93.184.216.34:8080/hook', 'url_port', 'has another port'],
    ] as const
  ).map(([refused, code, sentence]) =>
    operation(`A URL that ${sentence} returns 422 with ${code} in the details.`, async (context) => {
      const { status, error } = await subscribe(context, { url: refused });
      assert.equal(status, 422);
      assert.deepEqual(valuesOf(error.details as any[], 'code'), [code]);
    }),
  ),
  operation('A key limited to some agents must name one of them for a new endpoint.', async (context) => {
    const granted = ['webhooks:write', 'leads:read'] as const;
    const key = await context.makeKey({ scopes: granted, agentIds: [context.agentId] });
    assert.equal((await subscribe(context, {}, key)).status, 403);
    assert.equal((await subscribe(context, { agent_id: context.pausedAgentId }, key)).status, 404);
    const { status, body } = await subscribe(context, { agent_id: context.agentId }, key);
    assert.equal(status, 201);
    await remove(context, body.id);
  }),
  operation('A replay with the Idempotency-Key returns the endpoint with null as secret.', async (context) => {
    const [first, again] = await context.repeat('/webhooks', { url, events: ['lead.created'] });
    await remove(context, first.body.id);
    assert.deepEqual([again.status, again.body], [201, { ...first.body, secret: null }]);
  }),
  operation('A workspace has at most 10 endpoints, and one more returns 409 too_many_endpoints.', async (context) => {
    await hanging(context);
    const made: string[] = [];
    let response = await subscribe(context, {});
    while (response.status === 201 && made.length < 20) {
      made.push(response.body.id);
      response = await subscribe(context, {});
    }
    const { data } = await context.get('/webhooks?limit=100');
    for (const endpoint of made) await remove(context, endpoint);
    assertError(response, 409, 'too_many_endpoints');
    assert.equal(data.length, 10);
  }),
];

const removing: Statement[] = [
  operation('DELETE /webhooks/{webhook_id} returns 204 and removes the endpoint.', async (context) => {
    const { body } = await subscribe(context, {});
    const { status, body: nothing } = await context.call('DELETE', `/webhooks/${body.id}`);
    assert.deepEqual([status, nothing], [204, undefined]);
    const { data } = await context.get('/webhooks?limit=100');
    assert.ok(data.every((endpoint: any) => endpoint.id !== body.id));
    assertError(await context.call('DELETE', `/webhooks/${body.id}`), 404, 'not_found');
  }),
  operation('The delivery log of a removed endpoint is removed.', async (context) => {
    const endpoint = await context.webhook(['contact.created']);
    await context.team('POST', `/webhooks/${endpoint.id}/test`, {});
    await endpoint.count(1);
    assert.equal((await endpoint.log()).length, 1);
    await endpoint.remove();
    await assert.rejects(endpoint.log(), /404/);
  }),
  operation('A key limited to some agents removes only endpoints of its agents.', async (context) => {
    const whole = await subscribe(context, {});
    const own = await subscribe(context, { agent_id: context.agentId });
    const key = await context.makeKey({ scopes: ['webhooks:write'], agentIds: [context.agentId] });
    assertError(await context.call('DELETE', `/webhooks/${whole.body.id}`, { key }), 404, 'not_found');
    assert.equal((await context.call('DELETE', `/webhooks/${own.body.id}`, { key })).status, 204);
    await remove(context, whole.body.id);
  }),
];

const types = inSection('Event types');
const subscriptions: Statement[] = subscribableEvents.flatMap((type) => [
  types(`A subscription to ${type} needs the scope ${eventScopes[type]}.`, async (context) => {
    const key = await context.makeKey({ scopes: ['webhooks:write'] });
    const response = await subscribe(context, { events: [type] }, key);
    assertError(response, 403, 'insufficient_scope');
    assert.equal(response.error.required_scope, eventScopes[type]);
    const allowed = await context.makeKey({ scopes: ['webhooks:write', eventScopes[type]] });
    const { status, body } = await subscribe(context, { events: [type] }, allowed);
    assert.equal(status, 201);
    await remove(context, body.id);
  }),
]);

const state = inSection('Webhook endpoint state');
const states: Statement[] = [
  ...about(state, switched, {
    'An endpoint that is switched off in the dashboard is disabled with the reason owner.': ({ disabled }) =>
      assert.deepEqual([disabled.enabled, disabled.disabled_reason], [false, 'owner']),
    'The owner can switch an endpoint on again.': ({ enabled }) =>
      assert.deepEqual([enabled.enabled, enabled.disabled_reason], [true, null]),
  }),
  state(
    'The endpoints of a member who leaves are disabled with the reason maker_left, until the owner enables them.',
    async (context) => {
      const { memberId, key } = context.world.leaver;
      await context.team('PATCH', `/members/${memberId}`, { role: 'admin' });
      const { body } = await subscribe(context, {}, key);
      await context.team('DELETE', `/members/${memberId}`);
      const shown = async () =>
        (await context.get('/webhooks?limit=100')).data.find((endpoint: any) => endpoint.id === body.id);
      const paused = await shown();
      await context.team('PATCH', `/webhooks/${body.id}`, { enabled: true });
      const enabled = await shown();
      await remove(context, body.id);
      assert.deepEqual([paused.enabled, paused.disabled_reason], [false, 'maker_left']);
      assert.deepEqual([enabled.enabled, enabled.disabled_reason], [true, null]);
    },
  ),
];

export const webhookStatements: Statement[] = [
  fields,
  disabledFields,
  values,
  reading,
  creating,
  removing,
  subscriptions,
  states,
].flat();
