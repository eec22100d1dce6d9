/** Statements of the contract about the usage of a month, and about the calling key. */
import assert from 'node:assert/strict';
import { plans } from '../../../service/core/plans.ts';
import { scopes } from '../../../service/core/scopes.ts';
import { day } from './context.ts';
import * as is from './field-types.ts';
import { about, fieldStatements, inSection, once, type Statement } from './statement.ts';
import { valuesOf } from '../../support/values-of.ts';

/** Uses up the last conversation of a month, with an endpoint for the thresholds. */
export const fullMonth = once(async (context) => {
  const { key, agentId: to } = context.world.nearlyFull;
  const endpoint = await context.webhook(['usage.threshold'], {}, key);
  const last = await context.chat('Hello', { key, to });
  const beyond = await context.chat('Hello', { key, to });
  const usage = await context.get('/usage', { key });
  const again = await context.chat('Hello', { key, to, conversation_id: last.body.conversation_id });
  const deliveries = await endpoint.count(2);
  await context.team('POST', '/top-ups', { conversations: 5 }, key);
  const extended = await context.get('/usage', { key });
  const bought = await context.chat('Hello', { key, to });
  const log = await endpoint.log();
  return { last, beyond, again, usage, deliveries, log, extended, bought };
});

/** Crosses 80 % of a month. */
export const threshold = once(async (context) => {
  const { key, agentId: to } = context.world.nearThreshold;
  const endpoint = await context.webhook(['usage.threshold'], {}, key);
  const before = await endpoint.log();
  await context.chat('Hello', { key, to });
  const delivery = await endpoint.next('usage.threshold');
  await context.chat('Hello', { key, to });
  const usage = await context.get('/usage', { key });
  return { before, delivery, usage, log: await endpoint.log() };
});

const recorded = once(async (context) => {
  const before = await context.get('/usage');
  const { body } = await context.chat('Hello');
  await context.chat('Where can I park?', { conversation_id: body.conversation_id });
  return { before, after: await context.get('/usage') };
});

const fields = fieldStatements('Usage', async (context) => [(await recorded(context)).after], [
  ['month', is.matching(/^\d{4}-\d\d-01$/), 'The month of the usage is the first day of the month.'],
  ['plan', is.optional(is.text), 'The usage has the plan of the workspace.'],
  ['conversations_per_agent', is.optional(is.integer), 'The usage has conversations_per_agent, its deprecated name.'],
  ['pool', is.optional(is.record), 'The usage has the pool of the workspace as an object.'],
  ['agents', is.listOf(is.record), 'The usage has a list of agents.'],
]);

const resource = inSection('Usage');
const ofAgent = (usage: any, agent: string) => usage.agents.find((each: any) => each.agent_id === agent);
const values: Statement[] = [
  resource('GET /usage returns the usage of the current month in UTC.', async (context) => {
    const month = `${new Date(await context.now()).toISOString().slice(0, 8)}01`;
    assert.equal((await context.get('/usage')).month, month);
  }),
  resource('The usage names the plan of the workspace.', async (context) => {
    assert.equal((await recorded(context)).after.plan, 'business');
    assert.equal((await fullMonth(context)).usage.plan, 'team');
  }),
  resource(
    'The deprecated conversations_per_agent is the monthly number of the plan, not one per agent.',
    async (context) => {
      assert.equal((await recorded(context)).after.conversations_per_agent, plans.business.conversations);
      assert.equal((await fullMonth(context)).extended.conversations_per_agent, plans.team.conversations);
    },
  ),
  resource('The pool is shared by all agents of the workspace.', async (context) => {
    await context.makeAgent();
    const { after } = await recorded(context);
    const sum = after.agents.reduce((total: number, each: any) => total + each.conversations, 0);
    assert.equal(after.pool.used, sum);
    assert.ok(after.agents.length > 1);
  }),
  resource('The pool adds the top-ups of the month to the conversations of the plan.', async (context) => {
    const { usage, extended, bought } = await fullMonth(context);
    assert.deepEqual([usage.pool.remaining, extended.pool.remaining], [0, 5]);
    assert.equal(bought.body.limit, null);
  }),
  ...about(resource, recorded, {
    'The usage counts the conversations of each agent.': ({ before, after }, context) => {
      const [old, now] = [before, after].map((usage) => ofAgent(usage, context.agentId));
      assert.equal(now.conversations, old.conversations + 1);
    },
    'The usage counts the messages of each agent.': ({ before, after }, context) => {
      const [old, now] = [before, after].map((usage) => ofAgent(usage, context.agentId));
      assert.equal(now.messages, old.messages + 4);
    },
  }),
  resource('A key limited to some agents sees the usage of those agents.', async (context) => {
    const key = await context.makeKey({ scopes: ['usage:read'], agentIds: [context.agentId] });
    const { agents } = await context.get('/usage', { key });
    assert.deepEqual(valuesOf(agents, 'agent_id'), [context.agentId]);
  }),
];

const general = inSection('General rules');
const counting: Statement[] = [
  general('A conversation of the API and one of the website count in the same pool.', async (context) => {
    const before = await context.get('/usage');
    const website = { channel: 'website', text: 'When are you open?' };
    await context.team('POST', `/agents/${context.agentId}/conversations`, website);
    await context.chat('Hello');
    assert.equal((await context.get('/usage')).pool.used, before.pool.used + 2);
  }),
  general('A conversation counts once, on its first reply.', async (context) => {
    const { again, usage } = await fullMonth(context);
    assert.equal(usage.pool.used, plans.team.conversations);
    assert.deepEqual([again.status, again.body.limit], [200, null]);
  }),
];

const limits = inSection('Limits');
const thresholds: Statement[] = [
  limits('At 80 % of the month’s conversations, usage.threshold is sent once.', async (context) => {
    const { before, delivery, log, usage } = await threshold(context);
    assert.deepEqual([before.length, log.length], [0, 1]);
    assert.equal(delivery.event.data.pool.used, 1600);
    assert.equal(usage.pool.used, 1601);
  }),
  limits('At 100 % of the month’s conversations, usage.threshold is sent.', async (context) => {
    const { deliveries, log } = await fullMonth(context);
    assert.equal(log.length, 2, 'for 80 % and for 100 %');
    assert.ok(deliveries.every(({ event }) => event.data.pool.used === 2000));
  }),
];

const me = inSection('Me');
const readMe = once(async (context) => {
  const expiresAt = new Date((await context.now()) + 40 * day).toISOString();
  const granted = ['agents:read', 'webhooks:read'] as const;
  const init = { scopes: granted, agentIds: [context.agentId], expiresAt, label: 'Reporting' };
  const key = await context.makeKey(init);
  return { response: await context.get('/me', { key }), expiresAt, granted };
});

const account: Statement[] = [
  ...fieldStatements('Me', async (context) => [(await readMe(context)).response], [
    ['api_version', is.text, 'GET /me returns the version of the API.'],
    ['key', is.record, 'GET /me returns the calling key as an object.'],
    ['workspace', is.record, 'GET /me returns the workspace as an object.'],
  ]),
  ...about(me, readMe, {
    'GET /me shows the label of the key.': ({ response }) => assert.equal(response.key.label, 'Reporting'),
    'GET /me shows the scopes of the key.': ({ response, granted }) => assert.deepEqual(response.key.scopes, granted),
  }),
  me('GET /me shows the allowlist of agents of the key.', async (context) => {
    assert.deepEqual((await readMe(context)).response.key.agent_ids, [context.agentId]);
    assert.equal((await context.get('/me')).key.agent_ids, null);
  }),
  me('GET /me shows when the key expires.', async (context) => {
    const { response, expiresAt } = await readMe(context);
    assert.equal(response.key.expires_at, expiresAt);
    assert.equal((await context.get('/me')).key.expires_at, null);
  }),
  me('GET /me shows what the role of the key’s maker holds back now.', async (context) => {
    const { maker } = (await context.get('/me', { key: context.world.editor.key })).key;
    assert.deepEqual([maker.role, maker.held_back], ['editor', ['webhooks:read', 'webhooks:write']]);
    assert.deepEqual((await readMe(context)).response.key.maker.held_back, []);
  }),
  me('GET /me shows the id and the plan of the workspace.', async (context) => {
    const { workspace } = (await readMe(context)).response;
    assert.deepEqual([workspace.id, workspace.plan], [context.workspaceId, 'business']);
  }),
  ...[...scopes, undefined].map((scope) =>
    me(
      `GET /me accepts a key with ${scope === undefined ? 'no scope' : `only the scope ${scope}`}.`,
      async (context) => {
        const key = await context.makeKey({ scopes: scope === undefined ? [] : [scope] });
        assert.equal((await context.call('GET', '/me', { key })).status, 200);
      },
    ),
  ),
];

/** The last statements that are checked, because they move the time to the next month. */
const nextMonth = once(async (context) => {
  const before = await context.get('/usage');
  const now = new Date(await context.now());
  const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  await context.advance(next - now.getTime() - 20_000);
  const ending = await context.get('/usage');
  await context.advance(25_000);
  return { before, ending, beginning: await context.get('/usage'), next: new Date(next).toISOString().slice(0, 10) };
});

export const monthStatements: Statement[] = [
  ...about(resource, nextMonth, {
    'The month of the usage changes at midnight in UTC.': ({ before, ending, beginning, next }) =>
      assert.deepEqual([ending.month, beginning.month], [before.month, next]),
    'A new month begins without used conversations.': ({ ending, beginning }) => {
      assert.ok(ending.pool.used > 0);
      assert.deepEqual([beginning.pool.used, beginning.pool.remaining], [0, plans.business.conversations]);
    },
  }),
  limits('A full month ends with the month: new conversations get replies again.', async (context) => {
    await nextMonth(context);
    const { key, agentId: to } = context.world.nearlyFull;
    assert.equal((await context.chat('Hello', { key, to })).body.limit, null);
  }),
];

export const usageStatements: Statement[] = [...fields, ...values, ...counting, ...thresholds, ...account];
