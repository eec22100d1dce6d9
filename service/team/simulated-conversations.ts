/**
 * Simulates what visitors do outside the API, so that its effects can be tested: they write on another channel than `api`,
 * and they rate replies.
 */
import { z } from '@hono/zod-openapi';
import { and, eq } from 'drizzle-orm';
import { trackTurn } from '../chat/pending-turns.ts';
import { prepareTurn, responseOf, runTurn } from '../chat/turn.ts';
import { ApiError } from '../core/errors.ts';
import { findAgent } from '../db/find-agent.ts';
import { requireRow } from '../db/require-row.ts';
import { conversations, messages } from '../db/schema.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { requireRunning } from '../http/lifecycle.ts';
import { channel } from '../resources/conversation.ts';
import { serializeMessage } from '../resources/message.ts';
import type { TeamApp } from './environment.ts';
import { messageText, parseBody } from './parse-body.ts';
import { boundedText } from '../core/bounded-text.ts';

const visitorMessage = z.object({
  channel,
  text: messageText,
});

const rating = z.object({ rating: z.literal([1, -1]), comment: boundedText(2000).optional() });

export const simulatedConversationRoutes = (app: TeamApp, dependencies: Dependencies): void => {
  startConversationRoute(app, dependencies);
  rateReplyRoute(app, dependencies);
};

/** Starts a conversation on a channel with the visitor's first message. Later messages use the operation of the API. */
const startConversationRoute = (app: TeamApp, dependencies: Dependencies): void => {
  app.post('/agents/:id/conversations', async (context) => {
    const { caller } = context.var;
    const agent = await findAgent(dependencies.db, caller, context.req.param('id'));
    const { text, channel: on } = await parseBody(context, visitorMessage);
    const request = { messages: [{ role: 'user' as const, content: text }] };
    requireRunning(dependencies);
    const prepared = await prepareTurn(dependencies, caller, agent, request, { pageUrl: null, utm: {} });
    const turn = { ...prepared, channel: on };
    const response = await trackTurn(dependencies, () => responseOf(runTurn(dependencies, turn, dependencies.closing)));
    return context.json(response, 201);
  });
};

/** Stores a visitor's rating of a reply. A later rating replaces it. */
const rateReplyRoute = (app: TeamApp, { db }: Dependencies): void => {
  app.post('/messages/:id/feedback', async (context) => {
    const { workspaceId } = context.var.caller;
    const { rating: given, comment } = await parseBody(context, rating);
    const message = await requireRow(
      db
        .select({ id: messages.id, role: messages.role })
        .from(messages)
        .innerJoin(conversations, eq(conversations.id, messages.conversationId))
        .where(and(eq(messages.id, context.req.param('id')), eq(conversations.workspaceId, workspaceId))),
    );
    if (message.role !== 'assistant') throw new ApiError('conflict', { details: 'not_a_reply' });
    const feedback = { rating: given, ...(comment === undefined ? {} : { comment }) };
    const isMessage = eq(messages.id, message.id);
    return context.json(
      serializeMessage(await requireRow(db.update(messages).set({ feedback }).where(isMessage).returning())),
    );
  });
};
