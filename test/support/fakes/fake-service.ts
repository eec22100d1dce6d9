/** A fake service with scripted responses. It records the calls in `calls`. */
import type { ChatRequest, ChatResponse } from '../../../contract/wire.ts';
import { eventText } from '../../../src/products/testing/fake-service.ts';

export interface Call {
  url: string;
  headers: Headers;
  body: ChatRequest & Record<string, unknown>;
  redirect: RequestRedirect;
  signal: AbortSignal;
}

export type FakeResponse = (call: Call) => Response | Promise<Response>;

export { eventText };

const encoder = new TextEncoder();

/** An event stream that a test writes step by step. */
export const openStream = () => {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  let isCanceled = false;
  const body = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given;
    },
    cancel: () => {
      isCanceled = true;
    },
  });
  return {
    reply: ({ signal }: Call) => {
      signal.addEventListener('abort', () => {
        if (!isCanceled) controller.error(signal.reason);
        isCanceled = true;
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    },
    write: (name: string, data: unknown) => controller.enqueue(encoder.encode(eventText(name, data))),
    comment: () => controller.enqueue(encoder.encode(': keep-alive\n\n')),
    end: () => controller.close(),
    cut: () => controller.error(new TypeError('network error')),
    get isCanceled() {
      return isCanceled;
    },
  };
};

export const response = (fields: Partial<ChatResponse> = {}): ChatResponse => ({
  conversation_id: 'cnv_1',
  message: { id: 'msg_1', role: 'assistant', content: 'Hello there' },
  outcome: 'answered',
  refused: false,
  sources: [],
  state: 'ai_active',
  lead_captured: false,
  limit: null,
  degraded: false,
  ...fields,
});

export const started = (fields: Partial<ChatResponse> = {}) => response({ conversation_token: 'tok_1', ...fields });

/** A complete streamed reply. */
export const streamed =
  (done: unknown, ...deltas: string[]): FakeResponse =>
  () =>
    new Response([...deltas.map((text) => eventText('delta', { text })), eventText('done', done)].join(''), {
      headers: { 'content-type': 'text/event-stream; charset=utf-8' },
    });

/** A streamed reply with this text, which begins a conversation. Its message may have other fields, such as blocks of any shape. */
export const replyWith = (content: string, fields: object = {}): FakeResponse =>
  streamed({ ...started(), message: { id: 'msg_1', role: 'assistant', content, ...fields } });

export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): FakeResponse =>
  () =>
    Response.json(body, { status, headers });

export const refusal = (status: number, code: string, headers: Record<string, string> = {}): FakeResponse =>
  json({ error: { code, message: `About ${code}`, request_id: 'req_1' } }, status, headers);

/** A redirect to a page for signing in, as the browser's `fetch` treats it. */
export const redirectedToLogin: FakeResponse = ({ redirect }) =>
  redirect === 'error' ? Promise.reject(new TypeError('Failed to fetch')) : new Response('<h1>Sign in</h1>');

export const unreachable: FakeResponse = () => Promise.reject(new TypeError('Failed to fetch'));

/** Responds to the calls in the given order. A call without a response fails the test. */
export const fakeService = (...responses: FakeResponse[]) => {
  const calls: Call[] = [];
  const waiting = [...responses];
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    const call: Call = {
      url: input instanceof Request ? input.url : input.toString(),
      headers: new Headers(init.headers),
      body: typeof init.body === 'string' ? (JSON.parse(init.body) as Call['body']) : ({} as Call['body']),
      redirect: init.redirect ?? 'follow',
      signal: init.signal!,
    };
    call.signal.throwIfAborted();
    calls.push(call);
    const reply = waiting.shift();
    if (!reply) throw new Error(`There is no response for call number ${calls.length}, to ${call.url}`);
    return reply(call);
  };
  return {
    fetch,
    calls,
    add: (...more: FakeResponse[]) => void waiting.push(...more),
    clear: () => void waiting.splice(0),
  };
};
