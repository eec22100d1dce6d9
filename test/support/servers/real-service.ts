/** The local service behind the hostile server, which passes its responses on with network faults. */
import { createService, type Service } from '../../../service/service.ts';
import type { Exchange } from './exchange.ts';
import type { Misdeed } from './hostile-server.ts';

export const realKeys = { publishableKey: `svc_pk_${'p'.repeat(32)}`, secretKey: `svc_sk_${'s'.repeat(32)}` };

export interface RealService {
  agentId: string;
  moveClock(milliseconds: number): void;
  /** Calls an operation with the secret key and returns the parsed response. */
  call(method: string, path: string, body?: object): Promise<unknown>;
  /** Returns the stored messages of the newest conversation. */
  messages(): Promise<string[]>;
  /** Returns the number of conversations. */
  conversations(): Promise<number>;
  /** Forwards the request to the service and its response to `spoil`. */
  passOn(spoil?: Spoil): Misdeed;
  /** Uses up the rate limit of a minute. */
  exhaust(path: string): Promise<void>;
  close(): Promise<void>;
}

/** Passes a response on. Without the head, the visitor does not learn that the service responded. */
export type Spoil = (exchange: Exchange, answer: { head(): void; body: AsyncIterable<Uint8Array> }) => unknown;

/** Passes the response on unchanged. */
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
    // Moves the clock, so that polling tests do not reach the rate limits.
    offset += 1_100;
    const answer = await service.fetch(
      new Request(`http://service.test${path.startsWith('/team') ? '' : '/api/v2'}${path}`, {
        method,
        headers: { authorization: `Bearer ${realKeys.secretKey}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.status === 204 ? null : answer.json();
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
      return data.map(({ role, content }) => `${role === 'user' ? 'visitor' : 'agent'}: ${content}`);
    },
    passOn:
      (spoil = faithful) =>
      async (exchange) => {
        const { method, path, headers, body } = exchange.received;
        const sent = Object.fromEntries([...headers].filter(([name]) => !own.has(name)));
        const answer = await service.fetch(
          new Request(`http://service.test${path}`, { method, headers: sent, ...(method === 'POST' && { body }) }),
        );
        const head = () =>
          exchange.head(
            answer.status,
            Object.fromEntries([...answer.headers].filter(([name]) => !own.has(name))),
            false,
          );
        await spoil(exchange, { head, body: answer.body ?? new Blob([]).stream() });
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
