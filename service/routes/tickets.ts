/** The operations on tickets. */
import { z } from '@hono/zod-openapi';
import { and, eq, getTableColumns, or } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { findAgent } from '../db/find-agent.ts';
import { requireReachable } from '../db/require-row.ts';
import type { Dependencies } from '../http/dependencies.ts';
import type { Ticket } from '../db/records.ts';
import { ticketTags, tickets } from '../db/schema.ts';
import type { ApiKey, App } from '../http/environment.ts';
import { atLeastOne, flatValues } from '../core/merge.ts';
import { conflict, json, jsonBody, operation } from '../http/operation.ts';
import { byCreation, listedAgents, newestFirst, page, pageOf, pageQuery, readMerged } from '../http/pages.ts';
import { priority, serializeTicket, ticketOut, ticketStatus } from '../resources/ticket.ts';
import { changeTicket } from '../tickets/change.ts';
import { boundedText } from '../core/bounded-text.ts';

const ticketChange = z
  .object({
    status: z.enum(['open', 'on_hold', 'closed']).optional(),
    priority: priority.optional(),
    assignee_user_id: boundedText(100).nullable().optional(),
    custom: flatValues({ maxKeys: 50, maxLength: 2000 }).optional(),
  })
  .superRefine(atLeastOne)
  .openapi('TicketChange');

const ticketQuery = pageQuery.extend({
  agent_id: z.string().optional(),
  status: ticketStatus.optional(),
  assignee_user_id: z.string().optional(),
  tag: z.string().optional(),
});

const params = z.object({ ticket_id: z.string() });

export const ticketRoutes = (app: App, dependencies: Dependencies): void => {
  listTicketsRoute(app, dependencies);
  getTicketRoute(app, dependencies);
  changeTicketRoute(app, dependencies);
};

const listTicketsRoute = (app: App, dependencies: Dependencies): void => {
  const { db } = dependencies;
  const route = operation(dependencies, {
    method: 'get',
    path: '/tickets',
    scope: 'tickets:read',
    operationId: 'listTickets',
    summary: 'The tickets of the agents that the key can reach, newest first.',
    request: { query: ticketQuery },
    responses: { 200: json(pageOf(ticketOut), 'A page of tickets.') },
  });
  app.openapi(route, async (context) => {
    const key = context.var.key;
    const query = context.req.valid('query');
    if (query.agent_id !== undefined) await findAgent(db, key, query.agent_id);
    const found = await readTickets(db, key, query);
    return context.json(page(found, query.limit, serializeTicket, byCreation), 200);
  });
};

/** Reads one row more than the page has. */
const readTickets = async (db: Db, key: ApiKey, query: z.infer<typeof ticketQuery>): Promise<Ticket[]> => {
  const { tag, status, assignee_user_id: assigneeId, cursor, limit } = query;
  const wanted = and(
    eq(tickets.workspaceId, key.workspaceId),
    status && eq(tickets.status, status),
    assigneeId === undefined ? undefined : eq(tickets.assigneeId, assigneeId),
  );
  const ofAgent = (id: string | undefined) => (id === undefined ? undefined : eq(tickets.agentId, id));
  const agents = listedAgents(key, query.agent_id).map(ofAgent);
  if (tag === undefined) {
    const { after, order } = newestFirst(tickets.createdAt, tickets.id, cursor);
    const queries = agents.map((agent) =>
      db
        .select()
        .from(tickets)
        .where(and(wanted, agent, after)),
    );
    return readMerged(queries, order, limit + 1);
  }
  if (agents.length === 0) return [];
  // The table of the tags has the order of the list in its index.
  const { after, order } = newestFirst(ticketTags.createdAt, ticketTags.ticketId, cursor);
  const ofTag = and(eq(ticketTags.workspaceId, key.workspaceId), eq(ticketTags.tag, tag));
  return db
    .select(getTableColumns(tickets))
    .from(ticketTags)
    .innerJoin(tickets, eq(tickets.id, ticketTags.ticketId))
    .where(and(ofTag, wanted, or(...agents), after))
    .orderBy(...order)
    .limit(limit + 1);
};

const getTicketRoute = (app: App, dependencies: Dependencies): void => {
  const { db } = dependencies;
  const route = operation(dependencies, {
    method: 'get',
    path: '/tickets/{ticket_id}',
    scope: 'tickets:read',
    operationId: 'getTicket',
    summary: 'One ticket.',
    request: { params },
    responses: { 200: json(ticketOut, 'The ticket.') },
  });
  app.openapi(route, async (context) => {
    return context.json(
      serializeTicket(await findTicket(db, context.var.key, context.req.valid('param').ticket_id)),
      200,
    );
  });
};

const changeTicketRoute = (app: App, dependencies: Dependencies): void => {
  const { db } = dependencies;
  const route = operation(dependencies, {
    method: 'patch',
    path: '/tickets/{ticket_id}',
    scope: 'tickets:write',
    operationId: 'changeTicket',
    summary: 'Change the status, priority, assignee or custom fields of a ticket.',
    request: { params, ...jsonBody(ticketChange) },
    responses: { 200: json(ticketOut, 'The changed ticket.'), 409: conflict },
  });
  app.openapi(route, async (context) => {
    const { id } = await findTicket(db, context.var.key, context.req.valid('param').ticket_id);
    const by = { memberId: null, at: new Date(dependencies.now()) };
    return context.json(serializeTicket(await changeTicket(db, id, context.req.valid('json'), by)), 200);
  });
};

const findTicket = (db: Db, key: ApiKey, id: string): Promise<Ticket> => {
  const isTicket = and(eq(tickets.id, id), eq(tickets.workspaceId, key.workspaceId));
  return requireReachable(key, db.select().from(tickets).where(isTicket));
};
