/** The chat operation and the operation that receives tool results. */
import { z } from '@hono/zod-openapi';
import type { ChatResponse } from '../../contract/wire.ts';
import { findConversation } from '../chat/conversations.ts';
import { trackTurn } from '../chat/pending-turns.ts';
import { streamTurn } from './chat-stream.ts';
import { prepareTurn, responseOf, runTurn, UnrepeatableTurnError, type PreparedTurn } from '../chat/turn.ts';
import { visitOrigin } from '../chat/visit-origin.ts';
import type { RepeatableCall } from '../db/repeatable-call.ts';
import { isDatabaseUnavailable } from '../db/unavailable.ts';
import { agentOfCall } from '../http/authenticate.ts';
import type { App } from '../http/environment.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { runOnce } from '../http/idempotency.ts';
import { requireRunning } from '../http/lifecycle.ts';
import { conflict, gone, json, jsonBody, operation, unavailable } from '../http/operation.ts';
import { chatRequest, chatResponse, toolResultRequest, toolResultResponse, toTurnRequest } from './chat-schemas.ts';

const agentPath = z.object({ agent_id: z.string() });

export const chatRoutes = (app: App, dependencies: Dependencies): void => {
  chatRoute(app, dependencies);
  sendToolResultRoute(app, dependencies);
};

const chatRoute = (app: App, dependencies: Dependencies): void => {
  const route = operation(dependencies, {
    method: 'post',
    path: '/agents/{agent_id}/chat',
    scope: 'chat',
    bucket: 'chat',
    isRepeatable: true,
    operationId: 'chat',
    summary: 'Send a message to the agent, in a new or an existing conversation.',
    request: { params: agentPath, ...jsonBody(chatRequest) },
    responses: {
      200: {
        description: 'The response, or its events when `stream` is true.',
        content: { 'application/json': { schema: chatResponse }, 'text/event-stream': { schema: z.string() } },
      },
      409: conflict,
      410: gone,
      503: unavailable,
    },
  });
  app.openapi(route, async (context) => {
    const request = toTurnRequest(context.req.valid('json'));
    const key = context.var.key;
    const agent = agentOfCall(context);
    requireRunning(dependencies);
    const prepared = await prepareTurn(dependencies, key, agent, request, visitOrigin(context.req.header('referer')));
    const turn = { ...prepared, requestId: context.var.requestId };
    if (request.stream) {
      return streamTurn(dependencies, context, (signal) => runTurn(dependencies, turn, signal));
    }
    // A plain call runs to its end even if the caller disconnects, so that a repeated call gets the response.
    const response = await runOnce<ChatResponse>(
      dependencies,
      context,
      (call) => trackTurn(dependencies, () => completeTurn(dependencies, turn, call)),
      { privateMembers: ['conversation_token'] },
    );
    return context.json(response, 200);
  });
};

/** Runs a turn to its end, and says whether a call that failed may be repeated. */
const completeTurn = async (
  dependencies: Dependencies,
  turn: PreparedTurn,
  call: RepeatableCall<ChatResponse>,
): Promise<ChatResponse> => {
  try {
    return await responseOf(runTurn(dependencies, turn, dependencies.closing, call));
  } catch (error) {
    throw call.idSeed === undefined && isDatabaseUnavailable(error) ? new UnrepeatableTurnError(error) : error;
  }
};

const sendToolResultRoute = (app: App, dependencies: Dependencies): void => {
  const route = operation(dependencies, {
    method: 'post',
    path: '/agents/{agent_id}/chat/tool-results',
    scope: 'chat',
    operationId: 'sendToolResult',
    summary: 'Send the result of a client tool call.',
    request: { params: agentPath, ...jsonBody(toolResultRequest) },
    responses: { 200: json(toolResultResponse, 'The result was accepted.'), 409: conflict },
  });
  app.openapi(route, async (context) => {
    const sent = context.req.valid('json');
    const key = context.var.key;
    const agent = agentOfCall(context);
    const conversation = await findConversation(
      dependencies.db,
      key,
      agent.id,
      sent.conversation_id,
      sent.conversation_token,
    );
    await dependencies.toolCalls.submitResult({
      conversationId: conversation.id,
      callId: sent.call_id,
      ok: sent.ok,
      result: sent.result,
      error: sent.error,
    });
    return context.json({ ok: true }, 200);
  });
};
