/** Speaks HTTP with the service: the two chat operations of the contract, as a stream or as one answer. */
import type { Clock } from './clock.ts';
import { decodeChatResponse, decodeError, decodeStreamEvents, type StreamEvent } from './decode.ts';
import { parseJson } from './decode-values.ts';
import { ApiError } from './errors.ts';
import { readEventStream } from './event-stream.ts';
import { defaultTimeouts, Watchdog, type Timeouts } from './watchdog.ts';
import type { ChatRequest, ChatResponse, ToolResultRequest } from '../../contract/wire.ts';

export interface ApiClientOptions {
  /** With the version prefix, without a trailing slash. */
  baseUrl: string;
  publishableKey: string;
  agentId: string;
  fetch: typeof fetch;
  clock: Clock;
  /** The language of the service's sentences. */
  locale: () => 'en' | 'ar';
  patience?: Timeouts;
}

export interface StreamOptions {
  signal: AbortSignal;
  /** The service has taken the message: its answer's headers are here. */
  onAccepted: () => void;
}

/** A streamed answer: its events, and a way to suspend the watch over missing bytes. */
export interface ReplyStream extends AsyncIterable<StreamEvent> {
  /** See `Watchdog.hold`. */
  hold(): () => void;
}

/** Characters of a plain answer that are read; the longest of the service is far below. */
const maxBody = 4_000_000;

const contentType = (response: Response) => response.headers.get('content-type')?.split(';')[0]!.trim().toLowerCase();

/** Seconds from a `Retry-After` header in either of its forms; null when there is none to be read. */
export const parseRetryAfter = (value: string | null, now: number): number | null => {
  if (!value) return null;
  if (/^\d+$/.test(value.trim())) return Number(value);
  // Browsers read a date out of nearly any number, such as a negative one.
  const date = /[a-z]/i.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1000));
};

const readText = async (response: Response, onBytes: () => void): Promise<string> => {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) return text + decoder.decode();
    onBytes();
    text += decoder.decode(value, { stream: true });
    if (text.length > maxBody) {
      await reader?.cancel();
      throw new ApiError('response_too_large', 'unconfirmed');
    }
  }
};

export class ApiClient {
  readonly #options: ApiClientOptions;

  constructor(options: ApiClientOptions) {
    this.#options = options;
  }

  /**
   * Sends one message and answers its stream. A call that may have arrived is never sent again from here.
   * @throws {ApiError} While iterating; the signal's reason when the signal aborted.
   */
  stream(request: ChatRequest, { signal, onAccepted }: StreamOptions): ReplyStream {
    const watchdog = this.#watch();
    const events = this.#events(request, watchdog, signal, onAccepted);
    return { [Symbol.asyncIterator]: () => events, hold: () => watchdog.hold() };
  }

  /**
   * Sends one message and answers the whole reply. Safe to repeat with the same body and key (the contract's
   * "Common rules", 3).
   * @param body The serialised `ChatRequest`, frozen over its repetitions.
   * @throws {ApiError} The signal's reason when the signal aborted.
   */
  async ask(body: string, idempotencyKey: string, signal: AbortSignal): Promise<ChatResponse> {
    const watchdog = this.#watch();
    try {
      const response = await this.#post('/chat', body, [watchdog.signal, signal], {
        'idempotency-key': idempotencyKey,
      });
      const text = await readText(response, () => watchdog.feed());
      const answer = response.ok ? decodeChatResponse(parseJson(text)) : null;
      if (!answer) throw new ApiError('unexpected_response', 'unconfirmed', { status: response.status });
      return answer;
    } catch (error) {
      throw toApiError(error, signal, watchdog.signal, 'unconfirmed');
    } finally {
      watchdog.stop();
    }
  }

  /** Posts a client tool's result. Repeating it does nothing twice: the service answers `call_closed`. */
  async postToolResult(result: ToolResultRequest, signal: AbortSignal): Promise<void> {
    const watchdog = this.#watch();
    try {
      const response = await this.#post('/chat/tool-results', JSON.stringify(result), [watchdog.signal, signal]);
      await response.body?.cancel();
      if (!response.ok) throw new ApiError('unexpected_response', 'unconfirmed', { status: response.status });
    } catch (error) {
      throw toApiError(error, signal, watchdog.signal, 'unconfirmed');
    } finally {
      watchdog.stop();
    }
  }

  #watch(): Watchdog {
    return new Watchdog(this.#options.clock, this.#options.patience ?? defaultTimeouts);
  }

  async *#events(
    request: ChatRequest,
    watchdog: Watchdog,
    signal: AbortSignal,
    onAccepted: () => void,
  ): AsyncGenerator<StreamEvent, void, undefined> {
    let stage: 'unconfirmed' | 'accepted' = 'unconfirmed';
    try {
      const response = await this.#post('/chat', JSON.stringify({ ...request, stream: true }), [
        watchdog.signal,
        signal,
      ]);
      watchdog.feed();
      const type = contentType(response);
      if (response.ok && type === 'text/event-stream' && response.body) {
        stage = 'accepted';
        onAccepted();
        for await (const arrived of readEventStream(response.body, () => watchdog.feed())) {
          for (const event of decodeStreamEvents(arrived)) {
            yield event;
            // What follows the end of an answer is noise.
            if (event.type === 'done' || event.type === 'error') return;
          }
        }
        throw new ApiError('interrupted', stage);
      }
      // A proxy or a plain server may answer all at once.
      const answer = response.ok
        ? decodeChatResponse(parseJson(await readText(response, () => watchdog.feed())))
        : null;
      if (!answer) throw new ApiError('unexpected_response', stage, { status: response.status });
      onAccepted();
      yield { type: 'done', response: answer };
    } catch (error) {
      throw toApiError(error, signal, watchdog.signal, stage);
    } finally {
      watchdog.stop();
    }
  }

  /** The answer, when it is one that can be read on; the contract's refusals and foreign answers throw. */
  async #post(
    path: string,
    body: string,
    signals: AbortSignal[],
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const { baseUrl, agentId, publishableKey, fetch, locale, clock } = this.#options;
    const response = await fetch(`${baseUrl}/agents/${encodeURIComponent(agentId)}${path}`, {
      method: 'POST',
      headers: {
        ...headers,
        'accept-language': locale(),
        authorization: `Bearer ${publishableKey}`,
        'content-type': 'application/json',
      },
      body,
      // The key is the only credential, nothing may be kept, and a redirected POST is a login page.
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'manual',
      referrerPolicy: 'strict-origin-when-cross-origin',
      signal: AbortSignal.any(signals),
    });
    if (response.ok && response.status !== 204) {
      const type = contentType(response);
      if (type === 'text/event-stream' || type === 'application/json') return response;
    }
    const { status } = response;
    const error =
      contentType(response) === 'application/json' ? decodeError(parseJson(await readText(response, () => {}))) : null;
    if (!error) {
      await response.body?.cancel().catch(() => {});
      throw new ApiError('unexpected_response', 'unconfirmed', { status });
    }
    throw new ApiError(error.code, 'refused', {
      status,
      requestId: error.requestId,
      detail: error.message,
      retryAfter: parseRetryAfter(response.headers.get('retry-after'), clock.now()),
    });
  }
}

/** Judged by class and by who aborted, never by a text, which every browser words in its own way. */
const toApiError = (
  error: unknown,
  caller: AbortSignal,
  watchdog: AbortSignal,
  stage: 'unconfirmed' | 'accepted',
): unknown => {
  if (caller.aborted) return caller.reason;
  if (error instanceof ApiError) return error;
  if (watchdog.aborted) return new ApiError('timeout', stage, { cause: error });
  return new ApiError(stage === 'accepted' ? 'interrupted' : 'network', stage, { cause: error });
};
