/** Conversations and their messages, for a secret key. */
import { z } from '@hono/zod-openapi';
import { and, asc, eq, getTableColumns, gt } from 'drizzle-orm';
import { findAgent, effectiveState, type Conversation } from '../chat/conversations.ts';
import { conversations, messages } from '../db/schema.ts';
import type { App } from '../app.ts';
import { reaches } from '../http/authenticate.ts';
import type { ApiKey, Dependencies } from '../http/environment.ts';
import { ApiError } from '../core/errors.ts';
import { json, operation } from '../http/operation.ts';
import { decodeCursor, newestFirst, page, pageOf, pageQuery } from '../http/pages.ts';
import { channel, conversationOut, serialiseConversation, state } from '../resources/conversation.ts';
import { messageOut, serialiseMessage } from '../resources/message.ts';

export const conversationRoutes = (app: App, dependencies: Dependencies): void => {
  const columns = () => ({ ...getTableColumns(conversations), state: effectiveState(dependencies) });

  const find = async (key: ApiKey, id: string): Promise<Conversation> => {
    const [row] = await dependencies.db
      .select(columns())
      .from(conversations)
      .where(and(eq(conversations.id, id), eq(conversations.workspaceId, key.workspaceId)));
    if (!row || !reaches(key, row.agentId)) throw new ApiError('not_found');
    return row;
  };

  const list = operation(
    dependencies,
    'get',
    '/agents/{agent_id}/conversations',
    { needs: 'conversations:read' },
    {
      operationId: 'listConversations',
      summary: 'The conversations of an agent, newest first.',
      request: {
        params: z.object({ agent_id: z.string() }),
        query: pageQuery.extend({ state: state.optional(), channel: channel.optional() }),
      },
      responses: { 200: json(pageOf(conversationOut), 'A page of conversations.') },
    },
  );
  app.openapi(list, async (context) => {
    const agent = await findAgent(dependencies.db, context.var.key, context.req.valid('param').agent_id);
    const query = context.req.valid('query');
    const { after, order } = newestFirst(conversations.startedAt, conversations.id, query.cursor);
    const found = await dependencies.db
      .select(columns())
      .from(conversations)
      .where(
        and(
          eq(conversations.agentId, agent.id),
          query.state && eq(effectiveState(dependencies), query.state),
          query.channel && eq(conversations.channel, query.channel),
          after,
        ),
      )
      .orderBy(...order)
      .limit(query.limit + 1);
    return context.json(
      page(found, query.limit, serialiseConversation, (row) => [row.startedAt.toISOString(), row.id]),
      200,
    );
  });

  const params = z.object({ conversation_id: z.string() });
  const get = operation(
    dependencies,
    'get',
    '/conversations/{conversation_id}',
    { needs: 'conversations:read' },
    {
      operationId: 'getConversation',
      summary: 'One conversation.',
      request: { params },
      responses: { 200: json(conversationOut, 'The conversation.') },
    },
  );
  app.openapi(get, async (context) => {
    const found = await find(context.var.key, context.req.valid('param').conversation_id);
    return context.json(serialiseConversation(found), 200);
  });

  const said = operation(
    dependencies,
    'get',
    '/conversations/{conversation_id}/messages',
    { needs: 'conversations:read' },
    {
      operationId: 'listMessages',
      summary: 'The messages of a conversation, in the order said.',
      request: { params, query: pageQuery },
      responses: { 200: json(pageOf(messageOut), 'A page of messages.') },
    },
  );
  app.openapi(said, async (context) => {
    const { id } = await find(context.var.key, context.req.valid('param').conversation_id);
    const { limit, cursor } = context.req.valid('query');
    const after = decodeCursor(cursor, ['number']);
    const found = await dependencies.db
      .select()
      .from(messages)
      .where(and(eq(messages.conversationId, id), after && gt(messages.position, after[0])))
      .orderBy(asc(messages.position))
      .limit(limit + 1);
    return context.json(
      page(found, limit, serialiseMessage, (row) => [row.position]),
      200,
    );
  });
};
