/** The operations that read conversations and their messages. */
import { z } from '@hono/zod-openapi';
import { and, asc, eq, getTableColumns, gt, lte, sql, type SQL } from 'drizzle-orm';
import { conversationLifetimeMs } from '../../contract/limits.ts';
import { effectiveState } from '../chat/conversations.ts';
import { conversations, messages } from '../db/schema.ts';
import { requireReachable } from '../db/require-row.ts';
import type { Conversation } from '../db/records.ts';
import type { Dependencies } from '../http/dependencies.ts';
import type { ApiKey, App } from '../http/environment.ts';
import { agentOfCall } from '../http/authenticate.ts';
import { json, operation } from '../http/operation.ts';
import { decodeCursor, newestFirst, page, pageOf, pageQuery, readMerged } from '../http/pages.ts';
import { channel, conversationOut, serializeConversation, state } from '../resources/conversation.ts';
import { messageOut, serializeMessage } from '../resources/message.ts';

const params = z.object({ conversation_id: z.string() });

export const conversationRoutes = (app: App, dependencies: Dependencies): void => {
  listConversationsRoute(app, dependencies);
  getConversationRoute(app, dependencies);
  listMessagesRoute(app, dependencies);
};

const listConversationsRoute = (app: App, dependencies: Dependencies): void => {
  const route = operation(dependencies, {
    method: 'get',
    path: '/agents/{agent_id}/conversations',
    scope: 'conversations:read',
    operationId: 'listConversations',
    summary: 'The conversations of an agent, newest first.',
    request: {
      params: z.object({ agent_id: z.string() }),
      query: pageQuery.extend({ state: state.optional(), channel: channel.optional() }),
    },
    responses: { 200: json(pageOf(conversationOut), 'A page of conversations.') },
  });
  app.openapi(route, async (context) => {
    const agent = agentOfCall(context);
    const query = context.req.valid('query');
    const { after, order } = newestFirst(conversations.startedAt, conversations.id, query.cursor);
    const ofChannel = query.channel && eq(conversations.channel, query.channel);
    const queries = inState(query.state, dependencies.now).map((ofState) =>
      dependencies.db
        .select(columns(dependencies))
        .from(conversations)
        .where(and(eq(conversations.agentId, agent.id), ofState, ofChannel, after)),
    );
    const found = await readMerged(queries, order, query.limit + 1);
    return context.json(
      page(found, query.limit, serializeConversation, ({ startedAt, id }) => [startedAt, id]),
      200,
    );
  });
};

/**
 * The conditions of the conversations in a state, each of which an index can find. All that are older than their lifetime
 * are closed, even if the job that closes them has not run.
 */
const inState = (wanted: Conversation['state'] | undefined, now: () => number): (SQL | undefined)[] => {
  if (wanted === undefined) return [undefined];
  // In a subquery the planner does not know the time. If it did, it would not know that open conversations are new ones,
  // expect few rows, and read and sort all of them.
  const expiredAt = sql`(select ${new Date(now() - conversationLifetimeMs).toISOString()}::timestamptz)`;
  const isStored = and(eq(conversations.state, wanted), gt(conversations.startedAt, expiredAt));
  return wanted === 'closed' ? [isStored, lte(conversations.startedAt, expiredAt)] : [isStored];
};

const getConversationRoute = (app: App, dependencies: Dependencies): void => {
  const route = operation(dependencies, {
    method: 'get',
    path: '/conversations/{conversation_id}',
    scope: 'conversations:read',
    operationId: 'getConversation',
    summary: 'One conversation.',
    request: { params },
    responses: { 200: json(conversationOut, 'The conversation.') },
  });
  app.openapi(route, async (context) => {
    const found = await findConversation(dependencies, context.var.key, context.req.valid('param').conversation_id);
    return context.json(serializeConversation(found), 200);
  });
};

const listMessagesRoute = (app: App, dependencies: Dependencies): void => {
  const route = operation(dependencies, {
    method: 'get',
    path: '/conversations/{conversation_id}/messages',
    scope: 'conversations:read',
    operationId: 'listMessages',
    summary: 'The messages of a conversation, oldest first.',
    request: { params, query: pageQuery },
    responses: { 200: json(pageOf(messageOut), 'A page of messages.') },
  });
  app.openapi(route, async (context) => {
    const { id } = await findConversation(dependencies, context.var.key, context.req.valid('param').conversation_id);
    const { limit, cursor } = context.req.valid('query');
    const after = decodeCursor(cursor, ['number']);
    const found = await dependencies.db
      .select()
      .from(messages)
      .where(and(eq(messages.conversationId, id), after && gt(messages.position, after[0])))
      .orderBy(asc(messages.position))
      .limit(limit + 1);
    return context.json(
      page(found, limit, serializeMessage, (row) => [row.position]),
      200,
    );
  });
};

const columns = (dependencies: Dependencies) => ({
  ...getTableColumns(conversations),
  state: effectiveState(dependencies.now),
});

const findConversation = (dependencies: Dependencies, key: ApiKey, id: string): Promise<Conversation> => {
  const isConversation = and(eq(conversations.id, id), eq(conversations.workspaceId, key.workspaceId));
  return requireReachable(key, dependencies.db.select(columns(dependencies)).from(conversations).where(isConversation));
};
