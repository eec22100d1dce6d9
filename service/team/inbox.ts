/** The inbox of the team: tickets, messages, replies, and requests to approve. */
import { z } from '@hono/zod-openapi';
import { and, asc, desc, eq, inArray, type SQL } from 'drizzle-orm';
import { decideRequest } from '../actions/approved-requests.ts';
import { closeConversation } from '../chat/conversations.ts';
import type { Db } from '../db/database.ts';
import type { Ticket } from '../db/records.ts';
import { actionCalls, actions, agents, contacts, conversations, messages, tickets } from '../db/schema.ts';
import { replyAsTeam } from '../chat/messages.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { requireRow } from '../db/require-row.ts';
import { serializeCall } from '../resources/action.ts';
import { serializeContact } from '../resources/contact.ts';
import { serializeMessage } from '../resources/message.ts';
import { serializeTicket, ticketStatus } from '../resources/ticket.ts';
import { changeTicket } from '../tickets/change.ts';
import { updateTicket } from '../tickets/conversation-ticket.ts';
import type { TeamApp } from './environment.ts';
import { messageText, parseBody } from './parse-body.ts';
import { boundedText } from '../core/bounded-text.ts';
import { serializeSearch } from './search-explanation.ts';

/** What the page reads every few seconds. `GET /api/v2/tickets` and the messages of the API have all, in pages. */
const maxOpenTickets = 500;
const maxClosedTickets = 50;
const maxRequests = 100;
const maxMessages = 200;

const openStatuses = ticketStatus.exclude(['closed']).options;

const change = z.object({
  status: z.enum(['open', 'on_hold', 'closed']).optional(),
  priority: z.enum(['low', 'normal', 'high']).optional(),
  assignee_user_id: z.string().nullable().optional(),
  custom: z.record(z.string(), z.unknown()).optional(),
});

const score = z.object({ score: z.literal([1, -1]), comment: boundedText(2000).optional() });

export const inboxRoutes = (app: TeamApp, dependencies: Dependencies): void => {
  readInboxRoute(app, dependencies);
  listMessagesRoute(app, dependencies);
  sendReplyRoute(app, dependencies);
  closeConversationRoute(app, dependencies);
  changeTicketRoute(app, dependencies);
  rateTicketRoute(app, dependencies);
  decideRequestRoute(app, dependencies);
};

const readInboxRoute = (app: TeamApp, { db }: Dependencies): void => {
  app.get('/inbox', async (context) => {
    const { workspaceId } = context.var.caller;
    const { listed, hasMore } = await readTickets(db, workspaceId);
    const waiting = await db
      .select({ call: actionCalls, action: actions.name })
      .from(actionCalls)
      .innerJoin(actions, eq(actions.id, actionCalls.actionId))
      .innerJoin(agents, eq(agents.id, actions.agentId))
      .where(and(eq(agents.workspaceId, workspaceId), eq(actionCalls.outcome, 'waiting')))
      .orderBy(asc(actionCalls.at), asc(actionCalls.id))
      .limit(maxRequests);
    return context.json({
      tickets: listed.map(({ ticket, state, claim, contact }) => ({
        ...serializeTicket(ticket),
        state,
        claim,
        contact: contact && serializeContact(contact),
      })),
      has_more: hasMore,
      requests: waiting.map(({ call, action }) => ({ ...serializeCall(call), action })),
    });
  });
};

/** The open tickets, then the newest closed ones. One query, so that a ticket that changes meanwhile is listed once. */
const readTickets = async (db: Db, workspaceId: string) => {
  const isClosed = eq(tickets.status, 'closed');
  const newestFirst = [desc(tickets.updatedAt), desc(tickets.id)];
  const ownTickets = (condition: SQL) =>
    db
      .select({ id: tickets.id })
      .from(tickets)
      .where(and(eq(tickets.workspaceId, workspaceId), condition));
  const newest = (condition: SQL, limit: number) =>
    ownTickets(condition)
      .orderBy(...newestFirst)
      .limit(limit);
  const open = newest(inArray(tickets.status, openStatuses), maxOpenTickets + 1);
  const shown = open.unionAll(newest(isClosed, maxClosedTickets));
  const found = await db
    .select({ ticket: tickets, state: conversations.state, claim: conversations.claim, contact: contacts })
    .from(tickets)
    .leftJoin(conversations, eq(conversations.id, tickets.conversationId))
    .leftJoin(contacts, eq(contacts.id, conversations.contactId))
    .where(inArray(tickets.id, shown))
    .orderBy(asc(isClosed), ...newestFirst);
  const isLeftOut = ({ status }: Ticket, at: number) => at === maxOpenTickets && status !== 'closed';
  const listed = found.filter(({ ticket }, at) => !isLeftOut(ticket, at));
  return { listed, hasMore: listed.length < found.length };
};

const listMessagesRoute = (app: TeamApp, { db }: Dependencies): void => {
  app.get('/conversations/:id/messages', async (context) => {
    const id = context.req.param('id');
    await requireOwnConversation(db, context.var.caller.workspaceId, id);
    const found = await db
      .select()
      .from(messages)
      .where(eq(messages.conversationId, id))
      .orderBy(desc(messages.position))
      .limit(maxMessages + 1);
    const newest = found.slice(0, maxMessages).toReversed();
    return context.json({
      data: newest.map((message) => ({
        ...serializeMessage(message),
        search: message.search && serializeSearch(message.search),
      })),
      has_more: found.length > maxMessages,
    });
  });
};

const sendReplyRoute = (app: TeamApp, dependencies: Dependencies): void => {
  const { db } = dependencies;
  app.post('/conversations/:id/reply', async (context) => {
    const id = context.req.param('id');
    const { text } = await parseBody(context, z.object({ text: messageText }));
    await requireOwnConversation(db, context.var.caller.workspaceId, id);
    return context.json(serializeMessage(await replyAsTeam(dependencies, id, text)), 201);
  });
};

const closeConversationRoute = (app: TeamApp, dependencies: Dependencies): void => {
  const { db } = dependencies;
  app.post('/conversations/:id/close', async (context) => {
    const id = context.req.param('id');
    await requireOwnConversation(db, context.var.caller.workspaceId, id);
    await closeConversation(dependencies, id);
    return context.body(null, 204);
  });
};

const changeTicketRoute = (app: TeamApp, { db, now }: Dependencies): void => {
  app.patch('/tickets/:id', async (context) => {
    const { id } = await findTicket(db, context.var.caller.workspaceId, context.req.param('id'));
    const by = { memberId: context.var.caller.memberId, at: new Date(now()) };
    return context.json(serializeTicket(await changeTicket(db, id, await parseBody(context, change), by)));
  });
};

const rateTicketRoute = (app: TeamApp, { db, now }: Dependencies): void => {
  app.post('/tickets/:id/csat', async (context) => {
    const { score: csatScore, comment } = await parseBody(context, score);
    const rating = { csatScore, csatComment: comment ?? null, csatAt: new Date(now()) };
    const scored = await db.transaction(async (tx) => {
      const ticket = await findTicket(tx, context.var.caller.workspaceId, context.req.param('id'));
      return updateTicket(tx, ticket, rating, new Date(now()));
    });
    return context.json(serializeTicket(scored));
  });
};

const decideRequestRoute = (app: TeamApp, dependencies: Dependencies): void => {
  const { db } = dependencies;
  app.post('/requests/:id', async (context) => {
    const id = context.req.param('id');
    const { approve } = await parseBody(context, z.object({ approve: z.boolean() }));
    const ownActions = db
      .select({ id: actions.id })
      .from(actions)
      .innerJoin(agents, eq(agents.id, actions.agentId))
      .where(eq(agents.workspaceId, context.var.caller.workspaceId));
    const isOwn = and(eq(actionCalls.id, id), inArray(actionCalls.actionId, ownActions));
    await requireRow(db.select({ id: actionCalls.id }).from(actionCalls).where(isOwn));
    const memberId = context.var.caller.memberId;
    return context.json(serializeCall(await decideRequest(dependencies, id, { memberId, approve })));
  });
};

const findTicket = (db: Db, workspaceId: string, id: string) => {
  const isTicket = and(eq(tickets.id, id), eq(tickets.workspaceId, workspaceId));
  return requireRow(db.select().from(tickets).where(isTicket).for('update'));
};

const requireOwnConversation = async (db: Db, workspaceId: string, conversationId: string): Promise<void> => {
  const isOwn = and(eq(conversations.id, conversationId), eq(conversations.workspaceId, workspaceId));
  await requireRow(db.select({ id: conversations.id }).from(conversations).where(isOwn));
};
