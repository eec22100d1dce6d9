/** The operations on tickets. */
import { z } from '@hono/zod-openapi';
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { findAgent } from '../db/find-agent.ts';
import { canReachAgent } from '../core/key-access.ts';
import type { Dependencies } from '../http/dependencies.ts';
import type { Ticket } from '../db/records.ts';
import { tickets } from '../db/schema.ts';
import type { ApiKey, App } from '../http/environment.ts';
import { ApiError } from '../core/errors.ts';
import { atLeastOne, flatValues } from '../core/merge.ts';
import { conflict, json, jsonBody, operation } from '../http/operation.ts';
import { newestFirst, page, pageOf, pageQuery } from '../http/pages.ts';
import { priority, serialiseTicket, ticketOut, ticketStatus } from '../resources/ticket.ts';
import { changeTicket } from '../tickets/change.ts';

const ticketChange = z
  .object({
    status: z.enum(['open', 'on_hold', 'closed']).optional(),
    priority: priority.optional(),
    assignee_user_id: z.string().max(100).nullable().optional(),
    custom: flatValues(50, 2000).optional(),
  })
  .superRefine(atLeastOne)
  .openapi('TicketChange');

const params = z.object({ ticket_id: z.string() });

export const ticketRoutes = (app: App, dependencies: Dependencies): void => {
  listTicketsRoute(app, dependencies);
  getTicketRoute(app, dependencies);
  changeTicketRoute(app, dependencies);
};

const listTicketsRoute = (app: App, dependencies: Dependencies): void => {
  const { db } = dependencies;
  const route = operation(
    dependencies,
    'get',
    '/tickets',
    { scope: 'tickets:read' },
    {
      operationId: 'listTickets',
      summary: 'The tickets of the agents that the key can reach, newest first.',
      request: {
        query: pageQuery.extend({
          agent_id: z.string().optional(),
          status: ticketStatus.optional(),
          assignee_user_id: z.string().optional(),
          tag: z.string().optional(),
        }),
      },
      responses: { 200: json(pageOf(ticketOut), 'A page of tickets.') },
    },
  );
  app.openapi(route, async (context) => {
    const key = context.var.key;
    const query = context.req.valid('query');
    if (query.agent_id !== undefined) await findAgent(db, key, query.agent_id);
    const { after, order } = newestFirst(tickets.createdAt, tickets.id, query.cursor);
    const found = await db
      .select()
      .from(tickets)
      .where(
        and(
          eq(tickets.workspaceId, key.workspaceId),
          key.agentIds === null ? undefined : inArray(tickets.agentId, key.agentIds),
          query.agent_id === undefined ? undefined : eq(tickets.agentId, query.agent_id),
          query.status && eq(tickets.status, query.status),
          query.assignee_user_id === undefined ? undefined : eq(tickets.assigneeId, query.assignee_user_id),
          query.tag === undefined ? undefined : sql`${query.tag} = any(${tickets.tags})`,
          after,
        ),
      )
      .orderBy(...order)
      .limit(query.limit + 1);
    return context.json(
      page(found, query.limit, serialiseTicket, (ticket) => [ticket.createdAt.toISOString(), ticket.id]),
      200,
    );
  });
};

const getTicketRoute = (app: App, dependencies: Dependencies): void => {
  const { db } = dependencies;
  const route = operation(
    dependencies,
    'get',
    '/tickets/{ticket_id}',
    { scope: 'tickets:read' },
    {
      operationId: 'getTicket',
      summary: 'One ticket.',
      request: { params },
      responses: { 200: json(ticketOut, 'The ticket.') },
    },
  );
  app.openapi(route, async (context) => {
    return context.json(
      serialiseTicket(await findTicket(db, context.var.key, context.req.valid('param').ticket_id)),
      200,
    );
  });
};

const changeTicketRoute = (app: App, dependencies: Dependencies): void => {
  const { db } = dependencies;
  const route = operation(
    dependencies,
    'patch',
    '/tickets/{ticket_id}',
    { scope: 'tickets:write' },
    {
      operationId: 'changeTicket',
      summary: 'Change the status, priority, assignee or custom fields of a ticket.',
      request: { params, ...jsonBody(ticketChange) },
      responses: { 200: json(ticketOut, 'The changed ticket.'), 409: conflict },
    },
  );
  app.openapi(route, async (context) => {
    const { id } = await findTicket(db, context.var.key, context.req.valid('param').ticket_id);
    const by = { memberId: null, at: new Date(dependencies.now()) };
    return context.json(serialiseTicket(await changeTicket(db, id, context.req.valid('json'), by)), 200);
  });
};

const findTicket = async (db: Db, key: ApiKey, id: string): Promise<Ticket> => {
  const [ticket] = await db
    .select()
    .from(tickets)
    .where(and(eq(tickets.id, id), eq(tickets.workspaceId, key.workspaceId)));
  if (!ticket || !canReachAgent(key, ticket.agentId)) throw new ApiError('not_found');
  return ticket;
};
