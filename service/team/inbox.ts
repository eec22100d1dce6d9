/** The inbox: what waits for a person, their replies, the end of it, and requests to approve. */
import { z } from '@hono/zod-openapi';
import { and, asc, desc, eq, inArray } from 'drizzle-orm';
import { maxMessageLength } from '../../contract/limits.ts';
import { decideRequest } from '../actions/calls.ts';
import { closeConversation, replyAsTeam } from '../chat/conversations.ts';
import { actionCalls, actions, agents, contacts, conversations, messages, tickets } from '../db/schema.ts';
import type { Dependencies } from '../http/environment.ts';
import { ApiError } from '../core/errors.ts';
import { serialiseCall } from '../resources/action.ts';
import { serialiseContact } from '../resources/contact.ts';
import { serialiseMessage } from '../resources/message.ts';
import { serialiseTicket } from '../resources/ticket.ts';
import { changeTicket } from '../tickets/change.ts';
import { write } from '../tickets/conversation-ticket.ts';
import type { TeamApp } from './app.ts';
import { parseBody } from './parse-body.ts';

const maxTickets = 50;

export const inboxRoutes = (app: TeamApp, dependencies: Dependencies): void => {
  const { db } = dependencies;
  const at = () => new Date(dependencies.now());

  const ticketIn = async (workspaceId: string, id: string) => {
    const [ticket] = await db
      .select()
      .from(tickets)
      .where(and(eq(tickets.id, id), eq(tickets.workspaceId, workspaceId)));
    if (!ticket) throw new ApiError('not_found');
    return ticket;
  };

  const requireOwnConversation = async (workspaceId: string, conversationId: string): Promise<void> => {
    const found = await db
      .select({ id: conversations.id })
      .from(conversations)
      .where(and(eq(conversations.id, conversationId), eq(conversations.workspaceId, workspaceId)));
    if (found.length === 0) throw new ApiError('not_found');
  };

  app.get('/inbox', async (context) => {
    const { workspaceId } = context.var.key;
    const open = await db
      .select({ ticket: tickets, state: conversations.state, claim: conversations.claim, contact: contacts })
      .from(tickets)
      .leftJoin(conversations, eq(conversations.id, tickets.conversationId))
      .leftJoin(contacts, eq(contacts.id, conversations.contactId))
      .where(eq(tickets.workspaceId, workspaceId))
      .orderBy(desc(tickets.updatedAt), desc(tickets.id))
      .limit(maxTickets);
    const waiting = await db
      .select({ call: actionCalls, action: actions.name })
      .from(actionCalls)
      .innerJoin(actions, eq(actions.id, actionCalls.actionId))
      .innerJoin(agents, eq(agents.id, actions.agentId))
      .where(and(eq(agents.workspaceId, workspaceId), eq(actionCalls.outcome, 'waiting')));
    return context.json({
      tickets: open.map(({ ticket, state, claim, contact }) => ({
        ...serialiseTicket(ticket),
        state,
        claim,
        contact: contact && serialiseContact(contact),
      })),
      requests: waiting.map(({ call, action }) => ({ ...serialiseCall(call), action })),
    });
  });

  app.get('/conversations/:id/messages', async (context) => {
    const id = context.req.param('id');
    await requireOwnConversation(context.var.key.workspaceId, id);
    const said = await db
      .select()
      .from(messages)
      .where(eq(messages.conversationId, id))
      .orderBy(asc(messages.position));
    return context.json({ data: said.map(serialiseMessage) });
  });

  app.post('/conversations/:id/reply', async (context) => {
    const id = context.req.param('id');
    const { text } = await parseBody(context, z.object({ text: z.string().trim().min(1).max(maxMessageLength) }));
    await requireOwnConversation(context.var.key.workspaceId, id);
    return context.json(serialiseMessage(await replyAsTeam(dependencies, id, text)), 201);
  });

  app.post('/conversations/:id/close', async (context) => {
    const id = context.req.param('id');
    await requireOwnConversation(context.var.key.workspaceId, id);
    await closeConversation(dependencies, id);
    return context.body(null, 204);
  });

  const change = z.object({
    status: z.enum(['open', 'on_hold', 'closed']).optional(),
    priority: z.enum(['low', 'normal', 'high']).optional(),
    assignee_user_id: z.string().nullable().optional(),
    custom: z.record(z.string(), z.unknown()).optional(),
  });
  app.patch('/tickets/:id', async (context) => {
    const { id } = await ticketIn(context.var.key.workspaceId, context.req.param('id'));
    const by = { memberId: context.var.memberId, at: at() };
    return context.json(serialiseTicket(await changeTicket(db, id, await parseBody(context, change), by)));
  });

  const score = z.object({ score: z.literal([1, -1]), comment: z.string().max(2000).optional() });
  app.post('/tickets/:id/csat', async (context) => {
    const ticket = await ticketIn(context.var.key.workspaceId, context.req.param('id'));
    const { score: csatScore, comment } = await parseBody(context, score);
    const given = { csatScore, csatComment: comment ?? null, csatAt: at() };
    const scored = await db.transaction((tx) => write(tx, ticket, given, at()));
    return context.json(serialiseTicket(scored));
  });

  app.post('/requests/:id', async (context) => {
    const id = context.req.param('id');
    const { approve } = await parseBody(context, z.object({ approve: z.boolean() }));
    const ours = db
      .select({ id: actions.id })
      .from(actions)
      .innerJoin(agents, eq(agents.id, actions.agentId))
      .where(eq(agents.workspaceId, context.var.key.workspaceId));
    const found = await db
      .select({ id: actionCalls.id })
      .from(actionCalls)
      .where(and(eq(actionCalls.id, id), inArray(actionCalls.actionId, ours)));
    if (found.length === 0) throw new ApiError('not_found');
    const memberId = context.var.memberId;
    return context.json(serialiseCall(await decideRequest(dependencies, id, { memberId, approve })));
  });
};
