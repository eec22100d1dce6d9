/** `POST /agents/{agent_id}/chat` and its tool results. */
import { z } from '@hono/zod-openapi';
import type { ChatResponse } from '../../contract/wire.ts';
import { findAgent, findConversation } from '../chat/conversations.ts';
import { trackTurn } from '../chat/pending-turns.ts';
import { streamTurn } from './chat-stream.ts';
import { prepareTurn, runTurn } from '../chat/turn.ts';
import { visitOrigin } from '../chat/visit-origin.ts';
import type { App } from '../app.ts';
import type { Dependencies } from '../http/environment.ts';
import { once } from '../http/idempotency.ts';
import { conflict, gone, json, jsonBody, operation, unavailable } from '../http/operation.ts';
import { chatRequest, chatResponse, cleaned, toolResultRequest, toolResultResponse } from './chat-schemas.ts';

const agentPath = z.object({ agent_id: z.string() });

export const chatRoutes = (app: App, dependencies: Dependencies): void => {
  const chat = operation(
    dependencies,
    'post',
    '/agents/{agent_id}/chat',
    { needs: 'chat', bucket: 'chat' },
    {
      operationId: 'chat',
      summary: 'Ask the agent, in a new conversation or a running one.',
      request: { params: agentPath, ...jsonBody(chatRequest) },
      responses: {
        200: {
          description: 'The answer, or its events when `stream` is true.',
          content: { 'application/json': { schema: chatResponse }, 'text/event-stream': { schema: z.string() } },
        },
        409: conflict,
        410: gone,
        503: unavailable,
      },
    },
  );
  app.openapi(chat, async (context) => {
    const request = cleaned(context.req.valid('json'));
    const key = context.var.key;
    const agent = await findAgent(dependencies.db, key, context.req.valid('param').agent_id);
    const turn = await prepareTurn(dependencies, key, agent, request, visitOrigin(context.req.header('referer')));
    if (request.stream) {
      return streamTurn(dependencies, context, (signal) => runTurn(dependencies, turn, signal));
    }
    // A plain call runs to its end even when the caller has left: a repeat with the same key gets its answer.
    const answer = await once<ChatResponse>(dependencies, context, (hold) =>
      trackTurn(dependencies, () => answered(runTurn(dependencies, turn, dependencies.closing, hold))),
    );
    return context.json(answer, 200);
  });

  const toolResults = operation(
    dependencies,
    'post',
    '/agents/{agent_id}/chat/tool-results',
    { needs: 'chat' },
    {
      operationId: 'sendToolResult',
      summary: 'Answer a client tool call.',
      request: { params: agentPath, ...jsonBody(toolResultRequest) },
      responses: { 200: json(toolResultResponse, 'The result was taken.'), 409: conflict },
    },
  );
  app.openapi(toolResults, async (context) => {
    const answer = context.req.valid('json');
    const key = context.var.key;
    const agent = await findAgent(dependencies.db, key, context.req.valid('param').agent_id);
    const conversation = await findConversation(
      dependencies.db,
      key,
      agent.id,
      answer.conversation_id,
      answer.conversation_token,
    );
    await dependencies.toolCalls.answer({
      conversationId: conversation.id,
      callId: answer.call_id,
      ok: answer.ok,
      result: answer.result,
      error: answer.error,
    });
    return context.json({ ok: true }, 200);
  });
};

/** The answer of a turn whose events nobody follows. */
const answered = async (turn: ReturnType<typeof runTurn>): Promise<ChatResponse> => {
  let step = await turn.next();
  while (!step.done) step = await turn.next();
  if (!step.value) throw new Error('The service closed before the turn had ended.');
  return step.value;
};
