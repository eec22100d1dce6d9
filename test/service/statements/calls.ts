/** Statements of the contract about the calls of actions, and about submitted forms. */
import assert from 'node:assert/strict';
import { create, verifyHost } from './actions.ts';
import { day, type StatementContext } from './context.ts';
import * as is from './field-types.ts';
import { about, assertInvalid, fieldStatements, inSection, once, type Statement } from './statement.ts';

const outcomes = ['worked', 'failed', 'refused', 'waiting', 'approved', 'rejected', 'expired', 'sent'];
const ask = 'Kiln weather at the place';

interface Called {
  agent: string;
  action: string;
  /** Path of the action's list of calls. */
  path: string;
  requests: { url: string; body: string }[];
}

/** Creates an agent with an enabled http action that is called by a message, and whose host responds with `respond`. */
const makeAction = async (
  context: StatementContext,
  respond: (response: any) => void = (response) => response.end('{"state":"sunny","wind":{"speed":3}}'),
  more: object = {},
): Promise<Called> => {
  const agent = await context.someAgent();
  const route = context.server.route(`/${context.unique('weather')}`, respond);
  const { body } = await create(context, agent, {
    name: 'kiln_weather',
    url_template: `${route.url}?place={town_code}`,
    input_schema: { type: 'object', properties: { town_code: { type: 'string' } }, required: ['town_code'] },
    output_pick: ['state', 'wind.speed'],
    config: { asked_by: [ask], timeout_ms: 500 },
    ...more,
  });
  await verifyHost(context, agent, body.id);
  const path = `/agents/${agent}/actions/${body.id}`;
  assert.equal((await context.call('PATCH', path, { body: { enabled: true } })).status, 200);
  return { agent, action: body.id, path: `${path}/calls`, requests: route.requests };
};

const say = async (context: StatementContext, { agent }: Called, content = `${ask} MCT-7`, more: object = {}) =>
  (await context.chat(content, { to: agent, ...more })).body;
const newest = async (context: StatementContext, { path }: Called) => (await context.get(path)).data[0];

/** Calls that worked, failed, were refused, and of which the team approved one, rejected one and left one. */
const recorded = once(async (context) => {
  const works = await makeAction(context);
  const reply = await say(context, works);
  const worked = await newest(context, works);
  await say(context, works, ask);
  const refused = await newest(context, works);
  const fails = await makeAction(context, (response) => response.writeHead(500).end());
  await say(context, fails);
  const failed = await newest(context, fails);
  const hangs = await makeAction(context, () => {});
  await say(context, hangs);
  const timedOut = await newest(context, hangs);
  const approvals = await recordApprovals(context);
  const examples = [worked, refused, failed, timedOut, ...approvals.list];
  return { works, reply, worked, refused, failed, timedOut, fails, ...approvals, examples };
});

const recordApprovals = async (context: StatementContext) => {
  let hold: any;
  const needs = await makeAction(context, (response) => void (hold = response), {
    requires_approval: true,
    config: { asked_by: [ask], timeout_ms: 5000 },
  });
  const { conversation_id } = await say(context, needs);
  const waiting = await newest(context, needs);
  const before = needs.requests.length;
  const decision = context.team('POST', `/requests/${waiting.id}`, { approve: true });
  await context.until(() => hold !== undefined);
  const running = await newest(context, needs);
  hold.end('{"state":"sunny"}');
  await decision;
  const approved = await newest(context, needs);
  await context.advance(1000);
  await say(context, needs);
  const second = await newest(context, needs);
  await context.team('POST', `/requests/${second.id}`, { approve: false });
  const rejected = await newest(context, needs);
  await context.advance(1000);
  await say(context, needs);
  await context.advance(day + 1000);
  const expired = await context.until(async () => {
    const call = await newest(context, needs);
    return call.outcome === 'expired' && call;
  });
  const list = [waiting, running, approved, rejected, expired];
  return { needs, conversation_id, waiting, before, running, approved, rejected, expired, list };
};

const read = async (context: StatementContext) => (await recorded(context)).examples as object[];
const fields = fieldStatements('Call', read, [
  ['id', is.id, 'The id of a call is a text.'],
  ['at', is.time, 'A call shows when it was made.'],
  ['outcome', is.oneOf(...outcomes), 'The outcome of a call is one of the eight outcomes of the contract.'],
  ['reason', is.optional(is.matching(/^[a-z_]+$/)), 'The reason of a call is a stable code.'],
  ['detail', is.record, 'The detail of a call is an object.'],
  ['latency_ms', is.optional(is.integer), 'The latency of a call is in milliseconds.'],
  ['conversation_id', is.optional(is.id), 'A call has the id of its conversation.'],
  ['ticket_id', is.optional(is.id), 'A call that waits for approval has the id of its ticket.'],
  ['inputs', is.listOf(is.text), 'A call has the names of its inputs.'],
  ['approval', is.optional(is.record), 'A call that was decided has its approval as an object.'],
  ['result', is.optional(is.record), 'An approved call has its result as an object.'],
]);

const resource = inSection('Call');
const values: Statement[] = [
  ...about(resource, recorded, {
    'A call whose request succeeds has the outcome worked and no reason.': ({ worked }) =>
      assert.deepEqual([worked.outcome, worked.reason], ['worked', null]),
    'A call has the names of its inputs and never their values.': ({ worked }) => {
      assert.deepEqual(worked.inputs, ['town_code']);
      assert.ok(!JSON.stringify(worked).includes('MCT-7'));
    },
    'A call to a host that responds with an error fails with http_status and the status.': ({ failed }) =>
      assert.deepEqual([failed.outcome, failed.reason, failed.detail.status], ['failed', 'http_status', 500]),
    'A call to a host that does not respond in time fails with timeout.': ({ timedOut }) =>
      assert.deepEqual([timedOut.outcome, timedOut.reason], ['failed', 'timeout']),
    'A call without a required input is refused with invalid_input and the names of the inputs.': ({ refused }) => {
      assert.deepEqual([refused.outcome, refused.reason], ['refused', 'invalid_input']);
      assert.ok(JSON.stringify(refused.detail).includes('town_code'));
    },
  }),
  resource('A call beyond those of one conversation is refused with conversation_cap.', async (context) => {
    const called = await makeAction(context);
    const { conversation_id } = await say(context, called);
    let call = await newest(context, called);
    for (let calls = 1; call.outcome === 'worked' && calls < 60; calls++) {
      await say(context, called, `${ask} MCT-7`, { conversation_id });
      call = await newest(context, called);
    }
    assert.deepEqual([call.outcome, call.reason], ['refused', 'conversation_cap']);
  }),
  resource('A booking of a time that is taken fails with closed, and names the vendor.', async (context) => {
    const path = await context.action('book_class');
    const offers = async () => (await context.chat('Book a class')).body;
    const [one, other] = [await offers(), await offers()];
    const { start } = one.message.blocks[0].times.at(-1);
    for (const { conversation_id } of [one, other]) await context.chat(start, { conversation_id });
    const { data } = await context.get(`${path}/calls`);
    const call = data.find(({ conversation_id }: any) => conversation_id === other.conversation_id);
    assert.deepEqual([call.outcome, call.reason, call.detail], ['failed', 'closed', { vendor: 'studio_calendar' }]);
  }),
  resource('A call that needs approval waits, on a ticket of its conversation.', async (context) => {
    const { waiting, conversation_id } = await recorded(context);
    assert.deepEqual([waiting.outcome, waiting.conversation_id], ['waiting', conversation_id]);
    const ticket = await context.get(`/tickets/${waiting.ticket_id}`);
    assert.equal(ticket.conversation_id, conversation_id);
  }),
];

const transitions = inSection('Action call outcome');
const moves: Statement[] = [
  ...about(transitions, recorded, {
    'The request of a call is not sent while the call waits.': ({ before }) => assert.equal(before, 0),
    'An approved call is sent, and has the outcome approved until its result is known.': ({ running }) =>
      assert.equal(running.outcome, 'approved'),
    'An approved request is one call, from its approval to its result.': ({ waiting, approved, needs }) => {
      assert.deepEqual([approved.id, approved.outcome], [waiting.id, 'worked']);
      assert.equal(needs.requests.length, 1);
    },
    'The approval of a call has the id of the member who decided.': ({ approved }) =>
      assert.equal(approved.approval.user_id, 'mem_salma'),
    'The result of an approved call says how the call went.': ({ approved }) =>
      assert.equal(approved.result.outcome, 'worked'),
    'A call that the team rejects has the outcome rejected and is never sent.': ({ rejected, needs }) => {
      assert.equal(rejected.outcome, 'rejected');
      assert.equal(needs.requests.length, 1);
    },
    'A call that nobody decides has the outcome expired.': ({ expired }) => assert.equal(expired.outcome, 'expired'),
  }),
];

const operation = inSection('Actions and submissions');
const listing: Statement[] = [
  ...about(operation, recorded, {
    'GET /agents/{agent_id}/actions/{action_id}/calls lists the calls newest first, in pages.': async (
      { works, refused, worked },
      context,
    ) => {
      assert.deepEqual(await context.firstTwo(works.path), [refused, worked]);
    },
    'With failures_only, the list of calls has those that failed, were not run, or expired.': async (
      { works, fails, needs, refused, failed, expired },
      context,
    ) => {
      const failures = async ({ path }: Called) => (await context.get(`${path}?failures_only=true`)).data;
      assert.deepEqual(await failures(works), [refused]);
      assert.deepEqual(await failures(fails), [failed]);
      assert.deepEqual(await failures(needs), [expired]);
    },
    'With failures_only set to false, the list has all calls.': async ({ works }, context) => {
      assert.equal((await context.get(`${works.path}?failures_only=false`)).data.length, 2);
      assertInvalid(await context.call('GET', `${works.path}?failures_only=perhaps`), 'failures_only');
    },
    'The reply to a visitor has the picked outputs of an action.': ({ reply }) => {
      const shown = JSON.stringify(reply.message.blocks);
      assert.ok(shown.includes('sunny') && shown.includes('3'), shown);
    },
  }),
  operation('Preview calls are left out of the list of calls.', async (context) => {
    const { previewCallId } = context.world;
    const path = await context.action('book_class');
    for (const query of ['', '&failures_only=true']) {
      const { data } = await context.get(`${path}/calls?limit=100${query}`);
      assert.ok(data.every(({ id }: any) => id !== previewCallId));
    }
  }),
];

export const callStatements: Statement[] = [fields, values, moves, listing].flat();
