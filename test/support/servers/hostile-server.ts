/** A server over raw TCP that answers each call as a test's script says, down to single bytes and resets. */
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { Exchange, type Received } from './exchange.ts';

/** What the server does with one call. Nothing more comes for it once the connection has been ended. */
export type Misdeed = (exchange: Exchange) => unknown;

const cors = (origin: string) => [
  `access-control-allow-origin: ${origin}`,
  'access-control-allow-methods: GET, POST',
  'access-control-allow-headers: authorization, content-type, idempotency-key, x-conversation-proof, last-event-id',
  'access-control-max-age: 600',
  'content-length: 0',
  // On a connection that was used before, browsers repeat a call that is reset: the count must be the widget's own.
  'connection: close',
];

/** One request, once its body is whole; null while bytes are missing. */
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
  /** The chat calls that arrived, in order. */
  readonly posts: Received[] = [];
  /** The results of client tools that arrived. */
  readonly results: Received[] = [];
  /** The connections of the relay that arrived. */
  readonly listens: Received[] = [];
  /** No page may call, as far as the browser is told. */
  refusesPreflight = false;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #chat: Misdeed[] = [];
  #tools: Misdeed[] = [];
  #relay: Misdeed[] = [];
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

  /** How the next chat calls are answered, one each; a call beyond them is reset, and shows in `posts`. */
  answer(...misdeeds: Misdeed[]): void {
    this.#chat.push(...misdeeds);
  }

  answerTools(...misdeeds: Misdeed[]): void {
    this.#tools.push(...misdeeds);
  }

  answerRelay(...misdeeds: Misdeed[]): void {
    this.#relay.push(...misdeeds);
  }

  /** Resolves once so many calls of all kinds have arrived. */
  async received(count: number): Promise<void> {
    if (this.#count >= count) return;
    await new Promise<void>((resolve) => {
      this.#waiting.push({ count, resolve });
    });
  }

  /** Forgets everything, and cuts what is still open. */
  reset(): void {
    this.#chat = [];
    this.#tools = [];
    this.#relay = [];
    this.#waiting = [];
    this.refusesPreflight = false;
    this.posts.length = this.results.length = this.listens.length = 0;
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.reset();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  get #count(): number {
    return this.posts.length + this.results.length + this.listens.length;
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    // A visitor may leave at any moment.
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
    let bytes = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      const request = parse(bytes);
      if (!request) return;
      bytes = Buffer.from(request.rest);
      void this.#take(socket, request.received);
    });
  }

  async #take(socket: Socket, received: Received): Promise<void> {
    if (received.method === 'OPTIONS') {
      if (this.refusesPreflight) return void socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
      const origin = received.headers.get('origin') ?? '*';
      socket.write(`HTTP/1.1 204 No Content\r\n${cors(origin).join('\r\n')}\r\n\r\n`);
      socket.end();
      return;
    }
    const [list, misdeeds] = received.path.endsWith('/tool-results')
      ? [this.results, this.#tools]
      : received.method === 'GET'
        ? [this.listens, this.#relay]
        : [this.posts, this.#chat];
    list.push(received);
    const misdeed = misdeeds.shift();
    const exchange = new Exchange(socket, received);
    this.#waiting = this.#waiting.filter(({ count, resolve }) => {
      if (this.#count < count) return true;
      resolve();
      return false;
    });
    if (misdeed) await misdeed(exchange);
    else exchange.reset();
  }
}
