/** Statements of the contract about the messages of a conversation. */
import assert from 'node:assert/strict';
import type { StatementContext } from './context.ts';
import { orderForm } from './leads.ts';
import * as is from './field-types.ts';
import { about, fieldStatements, inSection, once, type Statement } from './statement.ts';

const operation = inSection('Conversations');

/** The messages of a conversation with a refusal and a request for a person. */
const spoken = once(async (context) => {
  const first = await context.chat('When are you open?');
  const { conversation_id } = first.body;
  await context.chat('Who was the fourth king of Atlantis?', { conversation_id });
  await context.chat('I want to talk to a human', { conversation_id });
  const path = `/conversations/${conversation_id}/messages`;
  const { data } = await context.get(`${path}?limit=100`);
  return { first, path, list: data as any[] };
});
const readMessages = async (context: StatementContext) => (await spoken(context)).list as object[];

/** A reply that asks for the form of the demo. */
const withForm = once(async (context) => {
  await context.action(orderForm);
  const { body } = await context.chat('I want a custom order');
  return (await context.get(`/conversations/${body.conversation_id}/messages`)).data as any[];
});

/** The messages of a conversation with a rating and a reply of the team. */
const handled = once(async (context) => {
  const first = await context.chat('When are you open?');
  const { conversation_id } = first.body;
  await context.team('POST', `/messages/${first.body.message.id}/feedback`, { rating: 1, comment: 'Good' });
  await context.chat('I want to talk to a human', { conversation_id });
  await context.team('POST', `/conversations/${conversation_id}/reply`, { text: 'Salma is here.' });
  await context.chat('Hello Salma', { conversation_id });
  return (await context.get(`/conversations/${conversation_id}/messages?limit=100`)).data as any[];
});

const messageFields = fieldStatements('Message', readMessages, [
  ['id', is.id, 'The id of a message is a text.'],
  ['role', is.oneOf('user', 'assistant'), 'The role of a message is user or assistant.'],
  ['content', is.text, 'The content of a message is a text.'],
  ['actor_type', is.oneOf('visitor', 'ai', 'owner'), 'The actor of a message is visitor, ai or owner.'],
  ['outcome', is.optional(is.text), 'A message of the assistant has an outcome.'],
  ['refused', is.flag, 'A message says whether the assistant refused.'],
  ['sources', is.listOf(is.record), 'A message has a list of sources.'],
  ['lang', is.optional(is.text), 'A message has a language.'],
  ['created_at', is.time, 'A message shows when it was written.'],
]);

const blockFields = fieldStatements('Message', withForm, [
  ['blocks', is.optional(is.listOf(is.record)), 'A message can have a list of blocks.'],
]);
const feedbackFields = fieldStatements('Message', handled, [
  ['feedback', is.optional(is.record), 'A message can have the feedback of the visitor.'],
]);

const message = inSection('Message');
const messageValues: Statement[] = [
  message('The reply of a person of the team has the actor owner.', async (context) => {
    const reply = (await handled(context)).find(({ content }) => content === 'Salma is here.');
    assert.deepEqual([reply.actor_type, reply.role], ['owner', 'assistant']);
  }),
  ...about(message, spoken, {
    'Only the messages of the assistant have an outcome.': ({ list }) => {
      for (const { actor_type, outcome } of list) assert.equal(outcome !== null, actor_type === 'ai');
    },
    'The sources of a message are the knowledge of the reply, as in the chat response.': ({ first, list }) => {
      const reply = list.find((each) => each.id === first.body.message.id);
      assert.deepEqual(reply.sources, first.body.sources);
      assert.ok(reply.sources.length > 0);
    },
    'The messages of the visitor have the actor visitor and the role user.': ({ list }) => {
      const own = list.filter(({ role }) => role === 'user');
      assert.deepEqual(new Set(own.map(({ actor_type }) => actor_type)), new Set(['visitor']));
    },
    'The replies of the assistant have the actor ai and the role assistant.': ({ first, list }) => {
      const reply = list.find((each) => each.id === first.body.message.id);
      assert.deepEqual([reply.actor_type, reply.role], ['ai', 'assistant']);
    },
    'A refused message is marked as refused.': ({ list }) => {
      const refused = list.filter((each) => each.refused);
      assert.equal(refused.length, 1);
      assert.equal(refused[0].outcome, 'refused');
    },
    'The blocks of a plain message are null.': ({ list }) => {
      for (const { role, blocks } of list) if (role === 'user') assert.equal(blocks, null);
    },
  }),
  message('A reply with a form has a block of the type form.', async (context) => {
    const reply = (await withForm(context)).find(({ outcome }) => outcome === 'form');
    assert.equal(reply.blocks[0].type, 'form');
  }),
  ...(
    [
      ['open_times', 'Book a class', 'book_class'],
      ['options', 'Hello', 'book_class'],
      ['products', 'Which plates do you sell?', 'show_product'],
      ['links', 'Palm mug prd_mug', 'show_product'],
    ] as const
  ).map(([type, question, action]) =>
    message(`A reply can carry a block of the type ${type}.`, async (context) => {
      await context.action(action);
      const { body } = await context.chat(question);
      const { data } = await context.get(`/conversations/${body.conversation_id}/messages`);
      const types = data.at(-1).blocks?.map((block: any) => block.type);
      assert.ok(types?.includes(type), `${question}: ${JSON.stringify(types)}`);
    }),
  ),
  message('A reply can carry a block of the type status_card.', async (context) => {
    await context.action('book_class');
    const { body } = await context.chat('Book a class');
    const { conversation_id } = body;
    const start = body.message.blocks[0].times.at(-1).start;
    assert.equal((await context.chat(start, { conversation_id })).body.message.blocks[0].type, 'status_card');
  }),
  operation('GET /conversations/{conversation_id}/messages lists the messages in the order said.', async (context) => {
    const { list, path } = await spoken(context);
    assert.equal(list[0].content, 'When are you open?');
    assert.equal(list.at(-2).content, 'I want to talk to a human');
    assert.deepEqual(await context.firstTwo(path), list.slice(0, 2));
  }),
];

export const messageStatements: Statement[] = [...messageFields, ...blockFields, ...feedbackFields, ...messageValues];
