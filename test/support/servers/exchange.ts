/** One call at the hostile server: what was received, and every way to answer it wrongly. */
import type { Socket } from 'node:net';
import { eventText } from '../fakes/fake-service.ts';

export interface Received {
  method: string;
  path: string;
  headers: Headers;
  body: string;
}

export class Exchange {
  readonly received: Received;
  readonly #socket: Socket;

  constructor(socket: Socket, received: Received) {
    this.#socket = socket;
    this.received = received;
  }

  /** The call's body, as the service would read it. */
  get json(): Record<string, unknown> {
    return JSON.parse(this.received.body) as Record<string, unknown>;
  }

  /** Headers of an answer whose body ends with the connection unless a length is given. */
  head(status: number, headers: Record<string, string>, hasCors = true): this {
    const origin = this.received.headers.get('origin') ?? '*';
    const all: Record<string, string> = {
      ...(hasCors && { 'access-control-allow-origin': origin, 'access-control-expose-headers': 'Retry-After' }),
      connection: 'close',
      ...headers,
    };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    return this.write(`HTTP/1.1 ${status} Whatever\r\n${lines.join('')}\r\n`);
  }

  /** Headers of an event stream. */
  stream(): this {
    return this.head(200, { 'content-type': 'text/event-stream; charset=utf-8' });
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

  /** Each piece in a packet of its own, as far as the network lets them be. */
  async pieces(parts: Iterable<string | Uint8Array>): Promise<void> {
    for (const part of parts) {
      this.write(part);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** A whole answer with a body. */
  reply(status: number, type: string, body: string | Uint8Array, headers: Record<string, string> = {}): void {
    const bytes = Buffer.from(body);
    this.head(status, { 'content-type': type, 'content-length': `${bytes.length}`, ...headers });
    this.write(bytes).end();
  }

  end(): void {
    this.#socket.end();
  }

  reset(): void {
    this.#socket.resetAndDestroy();
  }

  /** Resolves when the visitor's side has hung up. */
  hungUp(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#socket.destroyed) resolve();
      else this.#socket.once('close', () => resolve());
    });
  }
}
