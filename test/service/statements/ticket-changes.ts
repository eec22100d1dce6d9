/** Statements of the contract about the list of tickets and their changes. */
import assert from 'node:assert/strict';
import type { StatementContext } from './context.ts';
import { about, assertError, assertInvalid, inSection, type Statement } from './statement.ts';
import { change, openTicket, readTicket, recorded, reply, statuses } from './tickets.ts';

const operation = inSection('Tickets');
const filtered = async (context: StatementContext, query: string, isWanted: (ticket: any) => boolean) => {
  await recorded(context);
  const { data: all } = await context.get('/tickets?limit=100');
  const { data } = await context.get(`/tickets?limit=100&${query}`);
  const ids = (tickets: any[]) => tickets.map((each) => each.id);
  assert.ok(data.length > 0, `No ticket has ${query}.`);
  assert.deepEqual(ids(data), ids(all.filter(isWanted)));
};

const reading: Statement[] = [
  operation('GET /tickets lists the tickets newest first, in pages.', async (context) => {
    const older = await openTicket(context);
    const newer = await openTicket(context);
    const [first, second] = await context.firstTwo('/tickets');
    assert.deepEqual([first.id, second.id], [newer.ticket.id, older.ticket.id]);
  }),
  operation('The list of tickets can be filtered by agent.', async (context) => {
    const { agent } = await recorded(context);
    await filtered(context, `agent_id=${agent}`, (ticket) => ticket.agent_id === agent);
  }),
  ...statuses.map((status) =>
    operation(`The list of tickets can be filtered by the status ${status}.`, async (context) => {
      const { ticket, conversation } = await openTicket(context);
      if (status === 'on_you' || status === 'on_customer') await reply(context, conversation);
      if (status === 'on_you') await context.chat('Hello?', { conversation_id: conversation });
      if (status === 'on_hold' || status === 'closed') await change(context, ticket.id, { status });
      await filtered(context, `status=${status}`, (each) => each.status === status);
    }),
  ),
  operation('The list of tickets can be filtered by assignee.', async (context) => {
    await filtered(
      context,
      `assignee_user_id=${context.memberId}`,
      (ticket) => ticket.assignee_user_id === context.memberId,
    );
  }),
  operation('The list of tickets can be filtered by tag.', async (context) => {
    await filtered(context, 'tag=person', (ticket) => ticket.tags.includes('person'));
    assert.deepEqual((await context.get('/tickets?tag=none')).data, []);
  }),
  operation('GET /tickets/{ticket_id} returns one ticket.', async (context) => {
    const { ticket } = await openTicket(context);
    assert.deepEqual(await readTicket(context, ticket.id), ticket);
  }),
  operation('A key limited to other agents does not find a ticket.', async (context) => {
    const { ticket } = (await recorded(context)).tagged;
    const key = await context.makeKey({ scopes: ['tickets:read'], agentIds: [context.pausedAgentId] });
    assertError(await context.call('GET', `/tickets/${ticket.id}`, { key }), 404, 'not_found');
  }),
];

const changing: Statement[] = [
  ...about(operation, openTicket, {
    'PATCH /tickets/{ticket_id} sets the priority to low, normal or high.': async ({ ticket }, context) => {
      for (const priority of ['low', 'high', 'normal']) {
        assert.equal((await change(context, ticket.id, { priority })).body.priority, priority);
      }
      assertInvalid(await change(context, ticket.id, { priority: 'urgent' }), 'priority');
    },
    'A ticket can be assigned to a member, and null assigns it to nobody.': async ({ ticket }, context) => {
      const { body } = await change(context, ticket.id, { assignee_user_id: context.memberId });
      assert.equal(body.assignee_user_id, context.memberId);
      assert.equal((await change(context, ticket.id, { assignee_user_id: null })).body.assignee_user_id, null);
    },
    'A ticket cannot be assigned to somebody who cannot reply for its agent.': async ({ ticket }, context) => {
      const email = `${context.unique('viewer-')}@m.example`;
      const viewer = await context.team('POST', '/members', { name: 'Viewer', email, role: 'viewer' });
      const other = { name: 'Other', email: `x${email}`, role: 'agent', agent_ids: [context.pausedAgentId] };
      const otherAgent = await context.team('POST', '/members', other);
      for (const assignee of ['mem_unknown', viewer.id, otherAgent.id]) {
        assertInvalid(await change(context, ticket.id, { assignee_user_id: assignee }), 'assignee_user_id');
      }
    },
  }),
  operation('A change merges the fields of a ticket by key, and null removes a key.', async (context) => {
    await recorded(context);
    const { ticket } = await openTicket(context);
    await change(context, ticket.id, { custom: { order_number: '1', size: 'S' } });
    const { body } = await change(context, ticket.id, { custom: { order_number: null, size: 'L' } });
    assert.deepEqual(body.custom, { size: 'L' });
  }),
  operation('The fields of a ticket are checked against those of the workspace.', async (context) => {
    await recorded(context);
    const { ticket } = await openTicket(context);
    assertInvalid(await change(context, ticket.id, { custom: { unknown: 'x' } }), 'custom.unknown');
    assertInvalid(await change(context, ticket.id, { custom: { size: 'M' } }), 'custom.size');
    assertInvalid(await change(context, ticket.id, { custom: { order_number: 7 } }), 'custom.order_number');
  }),
  ...about(operation, openTicket, {
    'A change of a ticket needs at least one field.': async ({ ticket }, context) =>
      assertInvalid(await change(context, ticket.id, {})),
    'A change of a ticket accepts only the statuses open, on_hold and closed.': async ({ ticket }, context) => {
      for (const status of ['new', 'on_you', 'on_customer']) {
        assertInvalid(await change(context, ticket.id, { status }), 'status');
      }
    },
  }),
];

export const ticketChangeStatements: Statement[] = [...reading, ...changing];
