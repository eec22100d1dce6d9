/** The local service behind the hostile server, which forwards its responses as an unreliable network would. */
import { createService, type Service } from '../../../service/service.ts';
import type { CallHandler } from './hostile-server.ts';
import type { ServerCall } from './server-call.ts';

export const realKeys = { publishableKey: `svc_pk_${'p'.repeat(32)}`, secretKey: `svc_sk_${'s'.repeat(32)}` };

/** Forwards a response. Until it writes the head, the widget receives nothing. */
type Spoil = (exchange: ServerCall, reply: { head(): void; body: AsyncIterable<Uint8Array> }) => unknown;

/** Forwards the response unchanged. */
const faithful: Spoil = async (exchange, { head, body }) => {
  head();
  for await (const bytes of body) exchange.write(bytes);
  exchange.end();
};

/** Resets the connection once the service has sent everything. */
export const lost: Spoil = async (call, { body }) => {
  for await (const bytes of body) void bytes;
  call.reset();
};

const own = new Set(['connection', 'content-length', 'transfer-encoding', 'keep-alive', 'host']);

export class RealService {
  readonly agentId: string;
  readonly #service: Service;
  readonly #moveClock: (milliseconds: number) => void;

  constructor(service: Service, moveClock: (milliseconds: number) => void) {
    this.agentId = service.demo.agentId;
    this.#service = service;
    this.#moveClock = moveClock;
  }

  moveClock(milliseconds: number): void {
    this.#moveClock(milliseconds);
  }

  /** Returns the response of an operation, with the secret key. */
  async call(method: string, path: string, body?: object): Promise<unknown> {
    // Advances the clock, so that the rate limits do not reject a test that polls.
    this.moveClock(1_100);
    const reply = await this.#service.fetch(
      new Request(`http://service.test${path.startsWith('/team') ? '' : '/api/v2'}${path}`, {
        method,
        headers: { authorization: `Bearer ${realKeys.secretKey}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
    return reply.status === 204 ? null : reply.json();
  }

  /** Returns the stored messages of the newest conversation, one line each. */
  async messages(): Promise<string[]> {
    const [newest] = await this.#listConversations();
    if (!newest) return [];
    const { data } = (await this.call('GET', `/conversations/${newest.id}/messages?limit=100`)) as {
      data: { role: string; content: string }[];
    };
    return data.map(({ role, content }) => `${role === 'user' ? 'visitor' : 'assistant'}: ${content}`);
  }

  /** Returns the number of conversations. */
  async conversations(): Promise<number> {
    return (await this.#listConversations()).length;
  }

  async #listConversations(): Promise<{ id: string }[]> {
    const list = await this.call('GET', `/agents/${this.agentId}/conversations?limit=100`);
    return (list as { data: { id: string }[] }).data;
  }

  /** Forwards the response of the service as `spoil` changes it. */
  passOn(spoil = faithful): CallHandler {
    return async (exchange) => {
      const { method, path, headers, body } = exchange.received;
      const sent = Object.fromEntries([...headers].filter(([name]) => !own.has(name)));
      const reply = await this.#service.fetch(
        new Request(`http://service.test${path}`, { method, headers: sent, ...(method === 'POST' && { body }) }),
      );
      const kept = Object.fromEntries([...reply.headers].filter(([name]) => !own.has(name)));
      const head = () => exchange.writeHead(reply.status, kept, false);
      await spoil(exchange, { head, body: reply.body ?? new Blob([]).stream() });
    };
  }

  close(): Promise<void> {
    return this.#service.close();
  }
}

export const startRealService = async (): Promise<RealService> => {
  let offset = 0;
  const service = await createService({ chunkDelay: 1, now: () => Date.now() + offset, seed: realKeys });
  return new RealService(service, (milliseconds) => void (offset += milliseconds));
};
