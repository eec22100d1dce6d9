/** The local service behind the hostile server, which forwards its responses as an unreliable network would. */
import { createService, type Service } from '../../../service/service.ts';
import type { CallHandler } from './hostile-server.ts';
import type { ServerCall } from './server-call.ts';

export const realKeys = { publishableKey: `svc_pk_${'p'.repeat(32)}`, secretKey: `svc_sk_${'s'.repeat(32)}` };

export interface RealService {
  agentId: string;
  moveClock(milliseconds: number): void;
  /** Returns the response of an operation, with the secret key. */
  call(method: string, path: string, body?: object): Promise<unknown>;
  /** Returns the stored messages of the newest conversation, one line each. */
  messages(): Promise<string[]>;
  /** Returns the number of conversations. */
  conversations(): Promise<number>;
  /** Forwards the response of the service as `spoil` changes it. */
  passOn(spoil?: Spoil): CallHandler;
  /** Uses up the rate limit of a minute. */
  exhaust(path: string): Promise<void>;
  close(): Promise<void>;
}

/** Forwards a response. Until it writes the head, the widget receives nothing. */
export type Spoil = (exchange: ServerCall, reply: { head(): void; body: AsyncIterable<Uint8Array> }) => unknown;

/** Forwards the response unchanged. */
export const faithful: Spoil = async (exchange, { head, body }) => {
  head();
  for await (const bytes of body) exchange.write(bytes);
  exchange.end();
};

const own = new Set(['connection', 'content-length', 'transfer-encoding', 'keep-alive', 'host']);

export const startRealService = async (): Promise<RealService> => {
  let offset = 0;
  const service: Service = await createService({ chunkDelay: 1, now: () => Date.now() + offset, seed: realKeys });
  const call = async (method: string, path: string, body?: object) => {
    // Advances the clock, so that the rate limits do not reject a test that polls.
    offset += 1_100;
    const reply = await service.fetch(
      new Request(`http://service.test${path.startsWith('/team') ? '' : '/api/v2'}${path}`, {
        method,
        headers: { authorization: `Bearer ${realKeys.secretKey}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
    return reply.status === 204 ? null : reply.json();
  };
  const conversations = async () => {
    const { data } = (await call('GET', `/agents/${service.demo.agentId}/conversations?limit=100`)) as {
      data: { id: string }[];
    };
    return data;
  };
  return {
    agentId: service.demo.agentId,
    moveClock: (milliseconds) => void (offset += milliseconds),
    call,
    conversations: async () => (await conversations()).length,
    async messages() {
      const [newest] = await conversations();
      if (!newest) return [];
      const { data } = (await call('GET', `/conversations/${newest.id}/messages?limit=100`)) as {
        data: { role: string; content: string }[];
      };
      return data.map(({ role, content }) => `${role === 'user' ? 'visitor' : 'assistant'}: ${content}`);
    },
    passOn:
      (spoil = faithful) =>
      async (exchange) => {
        const { method, path, headers, body } = exchange.received;
        const sent = Object.fromEntries([...headers].filter(([name]) => !own.has(name)));
        const reply = await service.fetch(
          new Request(`http://service.test${path}`, { method, headers: sent, ...(method === 'POST' && { body }) }),
        );
        const head = () =>
          exchange.writeHead(
            reply.status,
            Object.fromEntries([...reply.headers].filter(([name]) => !own.has(name))),
            false,
          );
        await spoil(exchange, { head, body: reply.body ?? new Blob([]).stream() });
      },
    async exhaust(path) {
      for (let status = 0; status !== 429;) {
        const request = new Request(`http://service.test${path}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${realKeys.publishableKey}`, 'content-type': 'application/json' },
          body: '{}',
        });
        ({ status } = await service.fetch(request));
      }
    },
    close: () => service.close(),
  };
};
