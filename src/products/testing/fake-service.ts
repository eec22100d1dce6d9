/** A fake service for the host's own tests. It has no network: its `fetch` returns the responses that a test scripts. */
import type { ChatRequest, ChatResponse, ToolResultRequest } from '../../../contract/wire.ts';
import { anySignal } from '../../api/abort.ts';
import { abortable } from '../../api/clock.ts';
import { parseJson, toObject, toText } from '../../api/decode-values.ts';
import { toJson } from '../../api/encoding.ts';
import type { FakeFault, FakeReply, FakeScript, FakeToolCall, FakeToolResult } from './fake-reply.ts';

/** The options of `createFakeService`. They are the values that your page configures. */
export interface FakeServiceOptions {
  /** `https://workspace.test/api/v2` by default. No request is sent there. */
  baseUrl?: string;
  /** `svc_pk_test` by default. Any other key is rejected. */
  publishableKey?: string;
  /** By default a different one for each service, so that tests share no conversation. Any other agent is not found. */
  agentId?: string;
  /** Returns the reply to a message that no `reply` was scripted for. By default the text is repeated. */
  respond?: (text: string, request: ChatRequest) => FakeScript;
}

/** A message that the service has received. */
export interface FakeRequest {
  /** The visitor's text. */
  text: string;
  body: ChatRequest;
  headers: Headers;
}

/** See `createFakeService`. */
export interface FakeService {
  readonly baseUrl: string;
  readonly publishableKey: string;
  readonly agentId: string;
  /** Responds like the service. It needs no `this`. */
  readonly fetch: typeof fetch;
  /** The messages that have arrived, in order. */
  readonly requests: readonly FakeRequest[];
  /** The results of client tools that have arrived, in order. */
  readonly toolResults: readonly FakeToolResult[];
  /**
   * Scripts the replies to the next messages, in order.
   * @example service.reply('Hello.', { text: 'Choose one.', blocks: [optionsBlock] }, { fault: 'offline' });
   */
  reply(...scripts: FakeScript[]): void;
  /** Ends all open replies. Later calls fail as without a network. */
  close(): Promise<void>;
}

interface Call {
  id: string;
  tool: FakeToolCall;
  resolve(result: FakeToolResult): void;
}

/** A message that is being replied to. */
interface Exchange {
  body: ChatRequest;
  conversationId: string;
  /** Set when the conversation is a new one. */
  token: string | null;
  signal: AbortSignal;
}

/** The response headers that a page of another origin may read. */
const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Retry-After',
};

let services = 0;

const offline = () => new TypeError('Failed to fetch');

/** Returns one event of a stream in the format of server-sent events. */
export const eventText = (name: string, data: unknown): string =>
  `event: ${name}\ndata: ${typeof data === 'string' ? data : toJson(data)}\n\n`;

const isFault = (script: FakeReply | FakeFault): script is FakeFault => 'fault' in script;

class ScriptedService implements FakeService {
  readonly baseUrl: string;
  readonly publishableKey: string;
  readonly agentId: string;
  readonly requests: FakeRequest[] = [];
  readonly toolResults: FakeToolResult[] = [];
  readonly #respond: (text: string, request: ChatRequest) => FakeScript;
  readonly #scripts: FakeScript[] = [];
  readonly #tokens = new Map<string, string>();
  readonly #calls = new Map<string, Call>();
  readonly #closed = new AbortController();
  #count = 0;

  constructor({ baseUrl, publishableKey, agentId, respond }: FakeServiceOptions) {
    this.baseUrl = (baseUrl ?? 'https://workspace.test/api/v2').replace(/\/+$/, '');
    this.publishableKey = publishableKey ?? 'svc_pk_test';
    this.agentId = agentId ?? `agt_test_${++services}`;
    this.#respond = respond ?? ((text) => text);
  }

  reply(...scripts: FakeScript[]): void {
    this.#scripts.push(...scripts);
  }

  async close(): Promise<void> {
    this.#closed.abort(offline());
  }

  readonly fetch: typeof fetch = async (input, init = {}) => {
    // `new Request` would reject the signals of DOM emulations.
    const url = typeof input === 'string' ? input : 'url' in input ? input.url : input.href;
    const signal = anySignal([this.#closed.signal, ...(init.signal ? [init.signal] : [])]);
    signal.throwIfAborted();
    const headers = new Headers(init.headers);
    if (headers.get('authorization') !== `Bearer ${this.publishableKey}`) return this.#reject(401, 'invalid_key');
    const body = toObject(parseJson(typeof init.body === 'string' ? init.body : '')) as unknown;
    const agent = `${this.baseUrl}/agents/${encodeURIComponent(this.agentId)}`;
    if (url === `${agent}/chat/tool-results`) return this.#receiveResult(body as ToolResultRequest);
    if (url !== `${agent}/chat`) return this.#reject(404, 'not_found');
    return this.#chat(body as ChatRequest, headers, signal);
  };

  async #chat(body: ChatRequest, headers: Headers, signal: AbortSignal): Promise<Response> {
    const text = toText(toObject(body.messages?.at(-1))['content']);
    this.requests.push({ text, body, headers });
    const known = body.conversation_id && this.#tokens.get(body.conversation_id);
    if (body.conversation_id && (!known || known !== body.conversation_token))
      return this.#reject(404, 'conversation_not_found');
    const script = this.#scripts.shift() ?? this.#respond(text, body);
    const reply = typeof script === 'string' ? { text: script } : script;
    if (isFault(reply)) {
      if (reply.fault === 'offline') throw offline();
      if (reply.fault === 'silent') return abortable(new Promise<never>(() => {}), signal);
      if (reply.fault === 'rejected') return this.#reject(reply.status, reply.code, reply.retryAfter);
    }
    const exchange = { body, signal, ...this.#conversationOf(body) };
    return body.stream ? this.#stream(reply, exchange) : this.#sendPlain(reply, exchange);
  }

  #conversationOf({ conversation_id }: ChatRequest): Pick<Exchange, 'conversationId' | 'token'> {
    if (conversation_id) return { conversationId: conversation_id, token: null };
    const conversationId = this.#id('cnv');
    const token = this.#id('tok');
    this.#tokens.set(conversationId, token);
    return { conversationId, token };
  }

  #id(prefix: string): string {
    return `${prefix}_test_${++this.#count}`;
  }

  async #sendPlain(reply: FakeReply | FakeFault, exchange: Exchange): Promise<Response> {
    if (isFault(reply)) throw offline();
    await abortable(Promise.resolve(reply.until), exchange.signal);
    return Response.json(this.#toResponse(reply, exchange, []), { headers: corsHeaders });
  }

  #stream(reply: FakeReply | FakeFault, exchange: Exchange): Response {
    const events = isFault(reply) ? this.#interrupt(reply) : this.#events(reply, exchange);
    const body = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        try {
          const { done, value } = await abortable(events.next(), exchange.signal);
          if (done) controller.close();
          else controller.enqueue(new TextEncoder().encode(value));
        } catch (error) {
          controller.error(error);
        }
      },
    });
    return new Response(body, { headers: { ...corsHeaders, 'content-type': 'text/event-stream' } });
  }

  async *#interrupt(fault: FakeFault): AsyncGenerator<string, void> {
    if ('text' in fault && fault.text) yield eventText('delta', { text: fault.text });
    throw offline();
  }

  async *#events(reply: FakeReply, exchange: Exchange): AsyncGenerator<string, void> {
    const results: FakeToolResult[] = [];
    const offered = exchange.body.client_tools ?? [];
    for (const tool of reply.tools?.filter(({ name }) => offered.includes(name)) ?? []) {
      const call = this.#openCall(tool);
      yield eventText('client_tool', {
        conversation_id: exchange.conversationId,
        ...(exchange.token && { conversation_token: exchange.token }),
        call_id: call.id,
        name: tool.name,
        arguments: tool.arguments ?? {},
        timeout_ms: tool.timeoutMs ?? 15_000,
      });
      results.push(await call.result);
    }
    const response = this.#toResponse(reply, exchange, results);
    const words = response.message?.content.match(/\s*\S+\s*$|\s*\S+/g) ?? [];
    for (const word of words) yield eventText('delta', { text: word });
    await reply.until;
    if (response.sources.length > 0) yield eventText('sources', { sources: response.sources });
    yield eventText('done', response);
  }

  #openCall(tool: FakeToolCall): { id: string; result: Promise<FakeToolResult> } {
    const id = this.#id('call');
    const result = new Promise<FakeToolResult>((resolve) => {
      this.#calls.set(id, { id, tool, resolve });
    });
    return { id, result };
  }

  #receiveResult({ call_id, ok, result, error }: ToolResultRequest): Response {
    const call = this.#calls.get(call_id);
    if (!call) return this.#reject(409, 'call_closed');
    this.#calls.delete(call_id);
    const received = { name: call.tool.name, ok, ...(result && { result }), ...(error && { error }) };
    this.toolResults.push(received);
    call.resolve(received);
    return Response.json({ accepted: true }, { headers: corsHeaders });
  }

  #toResponse(reply: FakeReply, { conversationId, token }: Exchange, results: FakeToolResult[]): ChatResponse {
    const { text = '', blocks, sources = [], fields } = reply;
    const content = typeof text === 'function' ? text(results) : text;
    return {
      conversation_id: conversationId,
      ...(token && { conversation_token: token }),
      message: { id: this.#id('msg'), role: 'assistant', content, ...(blocks && { blocks }) },
      outcome: 'answered',
      refused: false,
      sources,
      state: 'ai_active',
      lead_captured: false,
      limit: null,
      degraded: false,
      ...fields,
    };
  }

  #reject(status: number, code: string, retryAfter?: number): Response {
    const error = { code, message: `The fake service rejects this call: ${code}.`, request_id: this.#id('req') };
    const headers = { ...corsHeaders, ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }) };
    return Response.json({ error }, { status, headers });
  }
}

/**
 * Creates a fake service for tests of your own page: it streams the replies that a test scripts, with blocks, tool calls and
 * faults. It needs no network and no server.
 * @example
 * ```js
 * const service = createFakeService();
 * service.reply('We open at nine.');
 * const conversation = createConversation({ ...service, storage: 'memory' });
 * await conversation.send('When do you open?');
 * ```
 */
export const createFakeService = (options: FakeServiceOptions = {}): FakeService => new ScriptedService(options);
