/** A server over raw TCP that handles each call as the test says, down to single bytes and connection resets. */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { ServerCall, type Received } from './server-call.ts';

/** Handles one call. It can write nothing more once it has ended the connection. */
export type CallHandler = (call: ServerCall) => unknown;

const cors = (origin: string) => [
  `access-control-allow-origin: ${origin}`,
  'access-control-allow-methods: GET, POST',
  'access-control-allow-headers: authorization, content-type, idempotency-key, x-conversation-proof, last-event-id',
  'access-control-max-age: 600',
  'content-length: 0',
  // Browsers repeat a call that is reset on a reused connection. The tests count the calls of the widget alone.
  'connection: close',
];

/** Parses one request. Returns null while bytes of its body are missing. */
const parse = (bytes: Buffer): { received: Received; rest: Buffer } | null => {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [line = '', ...fields] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = new Headers();
  for (const field of fields) {
    const colon = field.indexOf(':');
    headers.append(field.slice(0, colon), field.slice(colon + 1).trim());
  }
  const start = end + 4;
  const stop = start + Number(headers.get('content-length') ?? 0);
  if (bytes.length < stop) return null;
  const [method = '', path = ''] = line.split(' ');
  const body = bytes.subarray(start, stop).toString('utf8');
  return { received: { method, path, headers, body }, rest: bytes.subarray(stop) };
};

export class HostileServer {
  /** The chat calls received, in order. */
  readonly chatCalls: Received[] = [];
  /** The results of client tools received, in order. */
  readonly toolResults: Received[] = [];
  /** The connections to the relay of team replies, in order. */
  readonly relayCalls: Received[] = [];
  /** Makes every preflight fail, so that the browser sends no cross-origin call. */
  refusesPreflight = false;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #chatHandlers: CallHandler[] = [];
  #toolHandlers: CallHandler[] = [];
  #relayHandlers: CallHandler[] = [];
  #defaults: { chat?: CallHandler; toolResult?: CallHandler } = {};
  #waiting: { count: number; resolve: () => void }[] = [];

  constructor() {
    this.#server = createServer((socket) => this.#serve(socket));
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get baseUrl(): string {
    return `${this.url}/api/v2`;
  }

  /** A URL that always responds and is not recorded. Its response proves that earlier calls have arrived. */
  get probeUrl(): string {
    return `${this.url}/probe`;
  }

  /** Adds handlers for the next chat calls, one for each call. A call without a handler is recorded and reset. */
  onChat(...handlers: CallHandler[]): void {
    this.#chatHandlers.push(...handlers);
  }

  onToolResult(...handlers: CallHandler[]): void {
    this.#toolHandlers.push(...handlers);
  }

  onRelay(...handlers: CallHandler[]): void {
    this.#relayHandlers.push(...handlers);
  }

  /** Sets the handlers of the calls that have no handler of their own. */
  onEvery(defaults: { chat: CallHandler; toolResult: CallHandler }): void {
    this.#defaults = defaults;
  }

  /** Resolves once `count` calls of all kinds have arrived. */
  async waitForCalls(count: number): Promise<void> {
    if (this.#count >= count) return;
    await new Promise<void>((resolve) => {
      this.#waiting.push({ count, resolve });
    });
  }

  /** Removes all handlers and records, and closes open connections. */
  reset(): void {
    this.#chatHandlers = [];
    this.#toolHandlers = [];
    this.#relayHandlers = [];
    this.#defaults = {};
    this.#waiting = [];
    this.refusesPreflight = false;
    this.chatCalls.length = this.toolResults.length = this.relayCalls.length = 0;
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.reset();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  get #count(): number {
    return this.chatCalls.length + this.toolResults.length + this.relayCalls.length;
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    // The browser may close the connection at any moment.
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
    let bytes = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      const request = parse(bytes);
      if (!request) return;
      bytes = Buffer.from(request.rest);
      void this.#handle(socket, request.received);
    });
  }

  async #handle(socket: Socket, received: Received): Promise<void> {
    const call = new ServerCall(socket, received);
    if (received.path === '/probe') return call.respond(200, 'text/plain', 'here');
    if (received.method === 'OPTIONS') return this.#handlePreflight(socket, received);
    const [list, handlers, everyCall] = received.path.endsWith('/tool-results')
      ? [this.toolResults, this.#toolHandlers, this.#defaults.toolResult]
      : received.method === 'GET'
        ? [this.relayCalls, this.#relayHandlers]
        : [this.chatCalls, this.#chatHandlers, this.#defaults.chat];
    list.push(received);
    const handler = handlers.shift() ?? everyCall;
    this.#waiting = this.#waiting.filter(({ count, resolve }) => {
      if (this.#count < count) return true;
      resolve();
      return false;
    });
    if (handler) await handler(call);
    else call.reset();
  }

  #handlePreflight(socket: Socket, { headers }: Received): void {
    if (this.refusesPreflight) {
      socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    socket.end(`HTTP/1.1 204 No Content\r\n${cors(headers.get('origin') ?? '*').join('\r\n')}\r\n\r\n`);
  }
}
