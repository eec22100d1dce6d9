/** Statements of the contract about submitted forms, and about the deletion of actions. */
import assert from 'node:assert/strict';
import { create } from './actions.ts';
import type { StatementContext } from './context.ts';
import * as is from './field-types.ts';
import { about, assertError, fieldStatements, inSection, once, type Statement } from './statement.ts';

const operation = inSection('Actions and submissions');

/** The submissions of some actions: an agent may have others. */
const ownSubmissions = async (context: StatementContext, path: string, actions: any[]): Promise<any[]> => {
  const ids = new Set(actions.map((action) => action.id));
  return (await context.get(path)).data.filter(({ action }: any) => ids.has(action.id));
};

/** A form without a lead, submitted twice, and one of another action. */
const submitted = once(async (context) => {
  const agent = await context.someAgent();
  const field = { key: 'mood', label_en: 'Mood', label_ar: '', kind: 'text', options: [], required: true };
  const form = (name: string, wording: string) =>
    create(context, agent, {
      name,
      kind: 'collect_data',
      enabled: true,
      config: { fields: [field], asked_by: [wording] },
    });
  const [survey, other] = [
    await form('survey', 'Open the survey form'),
    await form('rating', 'Show me the rating sheet'),
  ];
  const fill = async (wording: string, mood: string) => {
    const { body } = await context.chat(wording, { to: agent });
    const { conversation_id } = body;
    return (await context.chat(`Mood: ${mood}`, { to: agent, conversation_id })).body;
  };
  const endpoint = await context.webhook(['form.submitted'], { agent_id: agent });
  const first = await fill('Open the survey form', 'Calm');
  await fill('Open the survey form', 'Glad');
  await fill('Show me the rating sheet', 'Five');
  const deliveries = await endpoint.count(3);
  await endpoint.remove();
  const path = `/agents/${agent}/submissions`;
  const list = await ownSubmissions(context, path, [survey.body, other.body]);
  return { agent, survey: survey.body, other: other.body, first, path, deliveries, list };
});

const submissionFields = fieldStatements('Submission', async (context) => (await submitted(context)).list, [
  ['id', is.id, 'The id of a submission is a text.'],
  ['action', is.record, 'A submission has its action as an object.'],
  ['conversation_id', is.optional(is.id), 'A submission has the id of its conversation.'],
  ['data', is.record, 'The data of a submission is an object.'],
  ['created_at', is.time, 'A submission shows when it was created.'],
]);

const submissions: Statement[] = [
  ...about(operation, submitted, {
    'GET /agents/{agent_id}/submissions lists the submissions newest first, in pages.': async (
      { path, list },
      context,
    ) => {
      assert.deepEqual(
        list.map(({ data }) => data.mood),
        ['Five', 'Glad', 'Calm'],
      );
      const first = await context.get(`${path}?limit=2`);
      assert.deepEqual((await context.get(`${path}?cursor=${first.next_cursor}`)).data[0], list[2]);
    },
    'The list of submissions can be filtered by action.': async ({ path, other, list }, context) =>
      assert.deepEqual((await context.get(`${path}?action_id=${other.id}`)).data, [list[0]]),
    'A submission has the conversation in which the form was sent.': ({ first, list }) =>
      assert.equal(list.at(-1).conversation_id, first.conversation_id),
    'Each submitted form sends form.submitted once.': ({ deliveries, list }) => {
      const ids = deliveries.map(({ event }) => event.data.id);
      assert.deepEqual(new Set(ids), new Set(list.map((each) => each.id)));
    },
  }),
  operation('DELETE /agents/{agent_id}/actions/{action_id} returns 204 and deletes the action.', async (context) => {
    const agent = await context.someAgent();
    const { body } = await create(context, agent, {});
    const path = `/agents/${agent}/actions/${body.id}`;
    assert.equal((await context.call('DELETE', path)).status, 204);
    const { data } = await context.get(`/agents/${agent}/actions`);
    assert.ok(data.every((action: any) => action.id !== body.id));
    assertError(await context.call('DELETE', path), 404, 'not_found');
  }),
  operation('The submissions of a deleted action are deleted with it.', async (context) => {
    const { agent, path, survey, other, list } = await submitted(context);
    await context.call('DELETE', `/agents/${agent}/actions/${survey.id}`);
    assert.deepEqual(await ownSubmissions(context, path, [survey, other]), [list[0]]);
  }),
];

export const submissionStatements: Statement[] = [...submissionFields, ...submissions];
