/** Tickets: what waits for the team. */
import { z } from '@hono/zod-openapi';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { findAgent } from '../chat/conversations.ts';
import { tickets } from '../db/schema.ts';
import type { App } from '../app.ts';
import { reaches } from '../http/authenticate.ts';
import type { ApiKey, Dependencies } from '../http/environment.ts';
import { ApiError } from '../core/errors.ts';
import { atLeastOne, flatValues } from '../core/merge.ts';
import { conflict, json, jsonBody, operation } from '../http/operation.ts';
import { newestFirst, page, pageOf, pageQuery } from '../http/pages.ts';
import { priority, serialiseTicket, ticketOut, ticketStatus, type Ticket } from '../resources/ticket.ts';
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
  const { db } = dependencies;

  const find = async (key: ApiKey, id: string): Promise<Ticket> => {
    const [ticket] = await db
      .select()
      .from(tickets)
      .where(and(eq(tickets.id, id), eq(tickets.workspaceId, key.workspaceId)));
    if (!ticket || !reaches(key, ticket.agentId)) throw new ApiError('not_found');
    return ticket;
  };

  const list = operation(
    dependencies,
    'get',
    '/tickets',
    { needs: 'tickets:read' },
    {
      operationId: 'listTickets',
      summary: 'The tickets of the agents the key sees, newest first.',
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
  app.openapi(list, async (context) => {
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

  const get = operation(
    dependencies,
    'get',
    '/tickets/{ticket_id}',
    { needs: 'tickets:read' },
    {
      operationId: 'getTicket',
      summary: 'One ticket.',
      request: { params },
      responses: { 200: json(ticketOut, 'The ticket.') },
    },
  );
  app.openapi(get, async (context) => {
    return context.json(serialiseTicket(await find(context.var.key, context.req.valid('param').ticket_id)), 200);
  });

  const change = operation(
    dependencies,
    'patch',
    '/tickets/{ticket_id}',
    { needs: 'tickets:write' },
    {
      operationId: 'changeTicket',
      summary: 'Move, prioritise or assign a ticket, or fill in its fields.',
      request: { params, ...jsonBody(ticketChange) },
      responses: { 200: json(ticketOut, 'The ticket as it is now.'), 409: conflict },
    },
  );
  app.openapi(change, async (context) => {
    const { id } = await find(context.var.key, context.req.valid('param').ticket_id);
    const by = { memberId: null, at: new Date(dependencies.now()) };
    return context.json(serialiseTicket(await changeTicket(db, id, context.req.valid('json'), by)), 200);
  });
};
