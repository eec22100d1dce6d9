/** A webhook receiver that verifies deliveries by the rules of the contract, independently of the service. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { useServer } from './support.ts';

export interface Received {
  headers: IncomingMessage['headers'];
  event: { id: string; type: string; created_at: string; workspace_id: string; agent_id: string; data: any };
  raw: string;
  /** Whether an event with this id was received before. */
  repeated: boolean;
}

export type Respond = (response: ServerResponse) => void;

export const ok: Respond = (response) => response.writeHead(204).end();

class Receiver {
  /** The deliveries with a valid signature. */
  readonly received: Received[] = [];
  respond: Respond = ok;
  secret = '';
  readonly #now: () => number;
  readonly #server: () => string;
  readonly #handled = new Set<string>();

  constructor(now: () => number, server: () => string) {
    this.#now = now;
    this.#server = server;
  }

  get url(): string {
    return `${this.#server()}/hook`;
  }

  clear(): void {
    this.received.length = 0;
    this.respond = ok;
  }

  async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const raw = Buffer.concat(pieces);
    if (!this.#holds(String(request.headers['x-service-signature']), raw)) {
      response.writeHead(400).end();
      return;
    }
    const text = raw.toString('utf8');
    const event = JSON.parse(text);
    this.received.push({ headers: request.headers, event, raw: text, repeated: this.#handled.has(event.id) });
    this.#handled.add(event.id);
    this.respond(response);
  }

  #holds(signature: string, raw: Buffer): boolean {
    const [, at, given] = /^t=(\d+)((?:,v1=[0-9a-f]{64})+)$/.exec(signature) ?? [];
    if (at === undefined || given === undefined || Math.abs(this.#now() / 1000 - Number(at)) > 300) return false;
    const expected = createHmac('sha256', this.secret).update(`${at}.`).update(raw).digest();
    const values = given.split(',v1=').slice(1);
    return values.some((value) => timingSafeEqual(expected, Buffer.from(value, 'hex')));
  }
}

/** Starts a receiver before the tests of a file and closes it after them. */
export const useReceiver = (now: () => number): Receiver => {
  const server = useServer((request, response) => void receiver.take(request, response));
  const receiver = new Receiver(now, () => server.url);
  return receiver;
};
