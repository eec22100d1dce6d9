/** Statements of the contract about changes of actions, and about what the plan allows. */
import assert from 'node:assert/strict';
import { plans } from '../../../service/core/plans.ts';
import { change, create, recorded } from './actions.ts';
import type { StatementContext } from './context.ts';
import { about, assertError, inSection, type Statement } from './statement.ts';

const operation = inSection('Actions and submissions');

/** Creates an action, and deletes it after the check: an agent can have only so many. */
const withAction = async (
  context: StatementContext,
  fields: object,
  check: (agent: string, action: any) => Promise<void>,
): Promise<void> => {
  const agent = await context.someAgent();
  const { status, body } = await create(context, agent, fields);
  assert.equal(status, 201, JSON.stringify(body));
  await check(agent, body);
  await context.call('DELETE', `/agents/${agent}/actions/${body.id}`);
};

const changing: Statement[] = [
  ...(
    [
      ['name', 'renamed'],
      ['description_en', 'New.'],
      ['description_ar', 'جديد'],
      ['method', 'DELETE'],
      ['url_template', 'https://93.184.216.34/new'],
      ['input_schema', { type: 'object' }],
      ['output_pick', ['one']],
      ['data_access', 'contact'],
      ['requires_approval', true],
      ['config', { timeout_ms: 500 }],
    ] as const
  ).map(([field, value]) =>
    operation(`PATCH /agents/{agent_id}/actions/{action_id} changes the ${field}.`, (context) =>
      withAction(context, { name: 'before' }, async (agent, before) => {
        const { status, body } = await change(context, agent, before.id, { [field]: value });
        assert.equal(status, 200);
        assert.deepEqual(body[field], value);
        const host = field === 'url_template' ? '93.184.216.34' : before.host;
        assert.deepEqual({ ...body, [field]: before[field], host: before.host, updated_at: before.updated_at }, before);
        assert.equal(body.host, host);
      }),
    ),
  ),
  operation('The headers in a change replace the stored ones.', (context) =>
    withAction(context, { headers: { A: '1', B: '2' } }, async (agent, { id }) => {
      const changed = await change(context, agent, id, { headers: { C: '3' } });
      assert.deepEqual(changed.body.header_names, ['C']);
    }),
  ),
  operation('Empty headers in a change remove the stored ones.', (context) =>
    withAction(context, { headers: { A: '1' } }, async (agent, { id }) => {
      const changed = await change(context, agent, id, { headers: {} });
      assert.deepEqual([changed.body.has_headers, changed.body.header_names], [false, []]);
    }),
  ),
  operation('A change without headers keeps the stored ones.', (context) =>
    withAction(context, { headers: { A: '1' } }, async (agent, { id }) => {
      const changed = await change(context, agent, id, { description_en: 'Kept' });
      assert.deepEqual(changed.body.header_names, ['A']);
    }),
  ),
  operation('A change of an unknown action returns 404 not_found.', async (context) => {
    const { agent } = await recorded(context);
    assertError(await change(context, agent, 'act_unknown', { name: 'x' }), 404, 'not_found');
  }),
];

const fillUp = async (context: StatementContext, agent: string) => {
  let response = await create(context, agent, {});
  let actions = 0;
  while (response.status === 201 && actions < 100) {
    actions++;
    response = await create(context, agent, {});
  }
  return { response, actions };
};

const errors: Statement[] = [
  operation('One action too many returns 402 plan_required and names the larger plan.', async (context) => {
    const agent = await context.makeAgent();
    const { response, actions } = await context.onPlan('team', () => fillUp(context, agent));
    assertError(response, 402, 'plan_required');
    assert.deepEqual([actions, response.error.required_plan], [plans.team.actions, 'business']);
  }),
  operation('On the plan with the most actions, one too many names no larger plan.', async (context) => {
    const { response, actions } = await fillUp(context, await context.makeAgent());
    assertError(response, 402, 'plan_required');
    assert.deepEqual([actions, response.error.required_plan], [plans.business.actions, undefined]);
  }),
  operation('An action with approval needs a plan with the helpdesk, or 402 plan_required.', async (context) => {
    const agent = await context.makeAgent();
    const body = { name: 'ask_first', requires_approval: true };
    const response = await context.onPlan('team', () => create(context, agent, body));
    assertError(response, 402, 'plan_required');
    assert.equal(response.error.required_plan, 'business');
  }),
  operation('A change to approval needs a plan with the helpdesk, or 402 plan_required.', async (context) => {
    const agent = await context.makeAgent();
    const { body } = await create(context, agent, {});
    const response = await context.onPlan('team', () => change(context, agent, body.id, { requires_approval: true }));
    assertError(response, 402, 'plan_required');
  }),
  ...about(operation, recorded, {
    'A new action with the name of another one returns 409 name_taken.': async ({ agent }, context) =>
      assertError(await create(context, agent, { name: 'a_client_tool' }), 409, 'name_taken'),
    'A rename to the name of another action returns 409 name_taken.': async ({ agent, bare }, context) =>
      assertError(await change(context, agent, bare.body.id, { name: 'a_client_tool' }), 409, 'name_taken'),
  }),
  operation('Actions of different agents can have the same name.', async (context) => {
    assert.equal((await create(context, await context.makeAgent(), { name: 'a_client_tool' })).status, 201);
  }),
];

export const actionChangeStatements: Statement[] = [...changing, ...errors];
