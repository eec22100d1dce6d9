/** A webhook receiver that verifies deliveries by the rules of the contract, independently of the service. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { ReceivedRequest } from '../support/servers/listen.ts';
import { useServer } from './support.ts';

export interface Received {
  headers: IncomingHttpHeaders;
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

  take(response: ServerResponse, { headers, body }: ReceivedRequest): void {
    if (!this.#holds(String(headers['x-service-signature']), body)) {
      response.writeHead(400).end();
      return;
    }
    const event = JSON.parse(body);
    this.received.push({ headers, event, raw: body, repeated: this.#handled.has(event.id) });
    this.#handled.add(event.id);
    this.respond(response);
  }

  #holds(signature: string, raw: string): boolean {
    const [, at, given] = /^t=(\d+)((?:,v1=[0-9a-f]{64})+)$/.exec(signature) ?? [];
    if (at === undefined || given === undefined || Math.abs(this.#now() / 1000 - Number(at)) > 300) return false;
    const expected = createHmac('sha256', this.secret).update(`${at}.`).update(raw).digest();
    const values = given.split(',v1=').slice(1);
    return values.some((value) => timingSafeEqual(expected, Buffer.from(value, 'hex')));
  }
}

/** Starts a receiver before the tests of a file and closes it after them. */
export const useReceiver = (now: () => number): Receiver => {
  const server = useServer((response, request) => receiver.take(response, request));
  const receiver = new Receiver(now, () => server.url);
  return receiver;
};
