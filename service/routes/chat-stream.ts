/** Streams a turn as server-sent events: `delta`, `client_tool`, then `sources`, `outcome` and `done`, or `error`. */
import { errorText } from '../core/log.ts';
import { isDatabaseUnavailable } from '../db/unavailable.ts';
import type { Dependencies } from '../http/dependencies.ts';
import type { Context } from 'hono';
import { streamSSE, type SSEStreamingApi } from 'hono/streaming';
import type { Environment } from '../http/environment.ts';
import { ApiError, errorBody } from '../core/errors.ts';
import { trackTurn } from '../chat/pending-turns.ts';
import type { TurnSteps } from '../chat/turn.ts';

type RunTurn = (signal: AbortSignal) => TurnSteps;

export const streamTurn = (dependencies: Dependencies, context: Context<Environment>, run: RunTurn): Response => {
  const response = streamSSE(context, (stream) =>
    trackTurn(dependencies, () => sendTurn(dependencies, context, stream, run)),
  );
  // Keeps proxies from buffering or caching the stream.
  response.headers.set('X-Accel-Buffering', 'no');
  response.headers.set('Cache-Control', 'no-store');
  return response;
};

const sendTurn = async (
  dependencies: Dependencies,
  context: Context<Environment>,
  stream: SSEStreamingApi,
  run: RunTurn,
): Promise<void> => {
  const disconnected = new AbortController();
  stream.onAbort(() => disconnected.abort());
  const signal = AbortSignal.any([disconnected.signal, dependencies.closing]);
  // Each write is a call of the operating system, so events that are known together are sent together.
  const sendAll = (...events: [name: string, data: unknown][]) =>
    stream.write(events.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join(''));
  const send = (name: string, data: unknown) => sendAll([name, data]);
  const sendKeepAlive = () => stream.write(': keep-alive\n\n');
  const keepAliveTimer = setInterval(() => void sendKeepAlive(), dependencies.keepAliveMs);
  try {
    // The first comment sends the response headers, which tell the app that the message was accepted.
    await sendKeepAlive();
    const turn = run(signal);
    let step = await turn.next();
    while (!step.done) {
      if (step.value.type === 'delta') await send('delta', { text: step.value.text });
      else await send('client_tool', step.value.call);
      step = await turn.next();
    }
    const response = step.value;
    if (disconnected.signal.aborted) return;
    if (!response) throw new ApiError('service_unavailable');
    const { sources, outcome, state, refused, limit } = response;
    await sendAll(['sources', { sources }], ['outcome', { outcome, state, refused, limit }], ['done', response]);
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
      error: errorText(error),
    });
    const errorName = isDatabaseUnavailable(error) ? 'service_unavailable' : 'internal_error';
    await send('error', errorBody(errorName, language, requestId));
  } finally {
    clearInterval(keepAliveTimer);
  }
};
