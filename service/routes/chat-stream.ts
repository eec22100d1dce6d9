/** A turn as server-sent events: `delta`, `client_tool`, then `sources`, `outcome` and `done`, or `error`. */
import type { Context } from 'hono';
import { streamSSE, type SSEStreamingApi } from 'hono/streaming';
import type { ChatResponse } from '../../contract/wire.ts';
import type { Environment, Dependencies } from '../http/environment.ts';
import { ApiError, errorBody } from '../core/errors.ts';
import { trackTurn } from '../chat/pending-turns.ts';
import type { TurnEvent } from '../chat/turn.ts';

type Run = (signal: AbortSignal) => AsyncGenerator<TurnEvent, ChatResponse | undefined>;

export const streamTurn = (dependencies: Dependencies, context: Context<Environment>, run: Run): Response => {
  const response = streamSSE(context, (stream) =>
    trackTurn(dependencies, () => tell(dependencies, context, stream, run)),
  );
  // Nothing in between may hold pieces back or keep them.
  response.headers.set('X-Accel-Buffering', 'no');
  response.headers.set('Cache-Control', 'no-store');
  return response;
};

const tell = async (
  dependencies: Dependencies,
  context: Context<Environment>,
  stream: SSEStreamingApi,
  run: Run,
): Promise<void> => {
  const gone = new AbortController();
  stream.onAbort(() => gone.abort());
  const signal = AbortSignal.any([gone.signal, dependencies.closing]);
  const send = (event: string, data: unknown) => stream.writeSSE({ event, data: JSON.stringify(data) });
  const sendKeepAlive = () => stream.write(': keep-alive\n\n');
  const beat = setInterval(() => void sendKeepAlive(), dependencies.keepAliveMs);
  try {
    // Sent at once: it carries the headers through, and tells the app that its question has arrived.
    await sendKeepAlive();
    const turn = run(signal);
    let step = await turn.next();
    while (!step.done) {
      if (step.value.type === 'delta') await send('delta', { text: step.value.text });
      else await send('client_tool', step.value.call);
      step = await turn.next();
    }
    const answer = step.value;
    if (!answer || signal.aborted) return;
    await send('sources', { sources: answer.sources });
    const { outcome, state, refused, limit } = answer;
    await send('outcome', { outcome, state, refused, limit });
    await send('done', answer);
  } catch (error) {
    const { requestId, language } = context.var;
    if (error instanceof ApiError) {
      await send('error', errorBody(error.errorName, language, requestId, error.extra));
      return;
    }
    dependencies.log({
      level: 'error',
      event: 'stream_failure',
      request_id: requestId,
      error: error instanceof Error ? error.stack : String(error),
    });
    await send('error', errorBody('internal_error', language, requestId));
  } finally {
    clearInterval(beat);
  }
};
