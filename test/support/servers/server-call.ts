/** One call that the hostile server received, with methods to write the response byte by byte. */
import type { Socket } from 'node:net';
import { eventText } from '../fakes/fake-service.ts';

export interface Received {
  method: string;
  path: string;
  headers: Headers;
  body: string;
}

export class ServerCall {
  readonly received: Received;
  readonly #socket: Socket;

  constructor(socket: Socket, received: Received) {
    this.#socket = socket;
    this.received = received;
  }

  /** The request's body, parsed. */
  get json(): Record<string, unknown> {
    return JSON.parse(this.received.body) as Record<string, unknown>;
  }

  /** Writes the status line and the headers. Without a `content-length`, the end of the connection ends the body. */
  writeHead(status: number, headers: Record<string, string>, hasCors = true): this {
    const origin = this.received.headers.get('origin') ?? '*';
    const all: Record<string, string> = {
      ...(hasCors && { 'access-control-allow-origin': origin, 'access-control-expose-headers': 'Retry-After' }),
      connection: 'close',
      ...headers,
    };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    return this.write(`HTTP/1.1 ${status} Whatever\r\n${lines.join('')}\r\n`);
  }

  /** Writes the headers of an event stream. */
  startStream(): this {
    return this.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  }

  write(data: string | Uint8Array): this {
    if (!this.#socket.destroyed) this.#socket.write(data);
    return this;
  }

  event(name: string, data: unknown): this {
    return this.write(eventText(name, data));
  }

  delta(text: string): this {
    return this.event('delta', { text });
  }

  /** Writes each piece in a packet of its own, as far as the network allows. */
  async writePieces(pieces: Iterable<string | Uint8Array>): Promise<void> {
    for (const piece of pieces) {
      this.write(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Writes a complete response with a body. */
  respond(status: number, type: string, body: string | Uint8Array, headers: Record<string, string> = {}): void {
    const bytes = Buffer.from(body);
    this.writeHead(status, { 'content-type': type, 'content-length': `${bytes.length}`, ...headers });
    this.write(bytes).end();
  }

  end(): void {
    this.#socket.end();
  }

  reset(): void {
    this.#socket.resetAndDestroy();
  }

  /** Resolves when the browser has closed the connection. */
  closed(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#socket.destroyed) resolve();
      else this.#socket.once('close', () => resolve());
    });
  }
}
