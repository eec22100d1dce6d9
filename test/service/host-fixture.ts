/** The site's own backend with its relay, and pages that connect to it. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { after, afterEach } from 'node:test';
import { startHost, type Host, type HostOptions } from '../../demo/host/host.ts';
import type { Listening } from '../../service/service.ts';
import { readEvents, startBefore, useFolders, useTestService, type StreamEvent } from './support.ts';

export const proofOf = (token: string) => createHash('sha256').update(token).digest('base64url');

/** Returns a function that resolves with the data of the next event of a kind. */
const nextEvent =
  (events: AsyncGenerator<StreamEvent>) =>
  async (event: string): Promise<any> => {
    for (;;) {
      const { value, done } = (await events.next()) as IteratorResult<StreamEvent, undefined>;
      if (done) return undefined;
      if (value.event === event) return value.data;
    }
  };

/** Starts the service and the backend before the tests of a file and closes them after them. */
export const useHost = () => {
  const tested = useTestService({ allowLoopback: true });
  const folder = useFolders()();
  const leaving: AbortController[] = [];
  // Assigned before the tests start. A test may start them again.
  const running = { api: undefined as unknown as Listening, host: undefined as unknown as Host };
  const fixture = Object.assign(running, {
    tested,

    start: (more: Partial<HostOptions> = {}) =>
      startHost({
        baseUrl: running.api.baseUrl,
        secretKey: tested.service.demo.secretKey,
        agentId: tested.agentId,
        origins: ['https://shop.example'],
        now: () => tested.clock.now,
        keepAlive: 20,
        bindingsFile: join(folder, 'bindings.json'),
        trustedProxies: ['127.0.0.1'],
        ...more,
      }),

    /** A page that subscribes to the relay of a conversation. */
    follow: async (id: string, proof: string, headers: Record<string, string> = {}, at = running.host) => {
      const abort = new AbortController();
      leaving.push(abort);
      const response = await fetch(`${at.url}/host/replies?conversation_id=${id}`, {
        headers: { 'x-conversation-proof': proof, ...headers },
        signal: abort.signal,
      });
      const next = nextEvent(readEvents(response));
      return { status: response.status, headers: response.headers, next, leave: () => abort.abort() };
    },

    visitor: async (content = 'I want to talk to a human') => {
      const key = await tested.makeKey({ kind: 'publishable' });
      const { body } = await tested.chat(content, { key });
      const token = body.conversation_token!;
      return { key, id: body.conversation_id, token, proof: proofOf(token) };
    },
  });
  startBefore(async () => {
    fixture.api = await tested.service.listen();
    fixture.host = await fixture.start();
  });
  after(() => fixture.host.close());
  afterEach(() => {
    for (const abort of leaving.splice(0)) abort.abort();
  });
  return fixture;
};
