/** The HTTP client for the chat operations of the contract: streamed, plain, and tool results. */
import { anySignal } from './abort.ts';
import type { Clock } from './clock.ts';
import { decodeChatResponse, decodeError, decodeStreamEvents, type StreamEvent } from './decode.ts';
import { parseJson } from './decode-values.ts';
import { toJson } from './encoding.ts';
import { ApiError } from './errors.ts';
import { readEventStream } from './event-stream.ts';
import { defaultTimeouts, Watchdog, type Timeouts } from './watchdog.ts';
import type { ChatRequest, ChatResponse } from '../../contract/wire.ts';

export interface ApiClientOptions {
  /** The URL with the version prefix, without a trailing slash. */
  baseUrl: string;
  publishableKey: string;
  agentId: string;
  fetch: typeof fetch;
  clock: Clock;
  /** Returns the language of the service's error messages. */
  locale: () => 'en' | 'ar';
  timeouts?: Timeouts;
}

export interface StreamOptions {
  signal: AbortSignal;
  /** Called when the service has accepted the message: the headers of the response have arrived. */
  onAccepted: () => void;
}

/** A streamed reply: its events, and a way to suspend the idle timeout. */
export interface ReplyStream extends AsyncIterable<StreamEvent> {
  /** See `Watchdog.suspend`. */
  suspend(): () => void;
}

/** Characters of a plain response. The longest response of the service is far shorter. */
const maxBodyLength = 4_000_000;

/** Returns the type of a response. A header that two servers have added is joined by a comma. */
const contentType = (response: Response) =>
  response.headers.get('content-type')?.split(/[;,]/)[0]!.trim().toLowerCase();

const readText = async (response: Response, onBytes: () => void): Promise<string> => {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) return text + decoder.decode();
    onBytes();
    text += decoder.decode(value, { stream: true });
    if (text.length > maxBodyLength) {
      await reader?.cancel();
      throw new ApiError('response_too_large', 'unconfirmed');
    }
  }
};

/** Reads a whole reply. */
const readChatResponse = async (response: Response, watchdog: Watchdog): Promise<ChatResponse> => {
  const decoded = decodeChatResponse(parseJson(await readText(response, () => watchdog.reset())));
  if (!decoded) throw new ApiError('unexpected_response', 'unconfirmed', { status: response.status });
  return decoded;
};

export class ApiClient {
  readonly #options: ApiClientOptions;

  constructor(options: ApiClientOptions) {
    this.#options = options;
  }

  /**
   * Sends one message and returns its event stream. This method never repeats a call that may have arrived.
   * @throws {ApiError} While iterating. When the signal aborts, the iteration throws the signal's reason.
   */
  stream(request: ChatRequest, { signal, onAccepted }: StreamOptions): ReplyStream {
    const watchdog = this.#watch();
    const events = this.#events(request, watchdog, signal, onAccepted);
    return { [Symbol.asyncIterator]: () => events, suspend: () => watchdog.suspend() };
  }

  /**
   * Sends one message and returns the whole response. It is safe to repeat with the same body and key (the contract's
   * "Common rules", 3).
   * @param body The serialized `ChatRequest`, the same for every repetition.
   * @throws {ApiError} When the signal aborts, it throws the signal's reason.
   */
  async sendPlain(body: string, idempotencyKey: string, signal: AbortSignal): Promise<ChatResponse> {
    const headers = { 'idempotency-key': idempotencyKey };
    return this.#call(signal, async (watchdog) =>
      readChatResponse(await this.#post('/chat', body, [watchdog.signal, signal], headers), watchdog),
    );
  }

  /** Posts to a path of the agent, and ignores the content of the response. */
  async post(path: string, body: string, signal: AbortSignal): Promise<void> {
    await this.#call(signal, async (watchdog) => {
      const response = await this.#post(path, body, [watchdog.signal, signal]);
      await response.body?.cancel();
    });
  }

  /** Runs a call under a watchdog, and classifies its error. */
  async #call<Value>(signal: AbortSignal, run: (watchdog: Watchdog) => Promise<Value>): Promise<Value> {
    const watchdog = this.#watch();
    try {
      return await run(watchdog);
    } catch (error) {
      throw toApiError(error, signal, watchdog.signal, 'unconfirmed');
    } finally {
      watchdog.stop();
    }
  }

  #watch(): Watchdog {
    return new Watchdog(this.#options.clock, this.#options.timeouts ?? defaultTimeouts);
  }

  async *#events(
    request: ChatRequest,
    watchdog: Watchdog,
    signal: AbortSignal,
    onAccepted: () => void,
  ): AsyncGenerator<StreamEvent, void, undefined> {
    let stage: 'unconfirmed' | 'accepted' = 'unconfirmed';
    try {
      const response = await this.#post('/chat', toJson({ ...request, stream: true }), [watchdog.signal, signal]);
      watchdog.reset();
      if (contentType(response) === 'text/event-stream' && response.body) {
        stage = 'accepted';
        onAccepted();
        for await (const arrived of readEventStream(response.body)) {
          watchdog.reset();
          for (const event of decodeStreamEvents(arrived)) {
            yield event;
            // Ignore everything that follows the end of the reply.
            if (event.type === 'done' || event.type === 'error') return;
          }
        }
        throw new ApiError('interrupted', stage);
      }
      // A proxy or a plain server may send the whole response at once.
      const decoded = await readChatResponse(response, watchdog);
      onAccepted();
      yield { type: 'done', response: decoded };
    } catch (error) {
      throw toApiError(error, signal, watchdog.signal, stage);
    } finally {
      watchdog.stop();
    }
  }

  /** Posts a request and returns the response if its body can be read. Any other response throws. */
  async #post(
    path: string,
    body: string,
    signals: AbortSignal[],
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const { baseUrl, agentId, publishableKey, fetch, locale } = this.#options;
    const response = await fetch(`${baseUrl}/agents/${encodeURIComponent(agentId)}${path}`, {
      method: 'POST',
      headers: {
        ...headers,
        'accept-language': locale(),
        authorization: `Bearer ${publishableKey}`,
        'content-type': 'application/json',
      },
      body,
      // The key is the only credential, nothing may be cached, and a redirected POST is a login page.
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'manual',
      referrerPolicy: 'strict-origin-when-cross-origin',
      signal: anySignal(signals),
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
      retryAfter: response.headers.get('retry-after'),
    });
  }
}

/** Classifies an error by its class and by which signal aborted. Messages differ between browsers. */
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
