/** The site's own backend: says who is signed in, receives webhooks, relays a person's replies to the visitor's page. */
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { streamSSE } from 'hono/streaming';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { workspaceApi, type WorkspaceOptions } from './api.ts';
import { customerRoutes } from './customers.ts';
import { Relay, type RelayEvent } from './relay.ts';
import { firstTimes, isGenuine, subscribe, type WebhookEvent } from './webhooks.ts';

export interface HostOptions extends WorkspaceOptions {
  /** The agent's identity secret; without it nobody can be signed in. */
  identitySecret?: string | undefined;
  /** Where the workspace reaches this server from outside; without it, at its own address. */
  publicUrl?: string | undefined;
  /** Sites other than this server's own whose pages may follow the relay. */
  origins?: string[];
  port?: number;
  /** Milliseconds since the epoch. */
  now?: () => number;
  /** Milliseconds between the comments that keep an idle connection open. */
  keepAlive?: number;
}

export interface Host {
  /** Its routes are under `/host`. */
  url: string;
  close(): Promise<void>;
}

export const startHost = async (options: HostOptions): Promise<Host> => {
  const { agentId, identitySecret, origins = [], now = Date.now, keepAlive = 20_000 } = options;
  const api = workspaceApi(options);
  const relay = new Relay(api, agentId, now);
  const isNew = firstTimes(now);
  let webhookSecret = '';

  const app = new Hono().basePath('/host');
  if (identitySecret) app.route('/', customerRoutes({ identitySecret, now }));

  app.post('/webhooks', async (context) => {
    const raw = Buffer.from(await context.req.arrayBuffer());
    const signature = context.req.header('x-service-signature') ?? '';
    if (!webhookSecret || !isGenuine(raw, signature, webhookSecret, now())) return context.body(null, 401);
    const event = JSON.parse(raw.toString()) as WebhookEvent;
    if (isNew(event.id)) relay.take(event);
    return context.body(null, 204);
  });

  app.use('/replies', cors({ origin: origins, allowHeaders: ['X-Conversation-Proof', 'Last-Event-ID'], maxAge: 7200 }));
  app.get('/replies', async (context) => {
    const id = context.req.query('conversation_id') ?? '';
    const followed = await relay.follow(id, context.req.header('x-conversation-proof') ?? '');
    if (!followed) return context.body(null, 403);
    const lastEventId = context.req.header('last-event-id');
    const { messages, isLast } = relay.missed(id, followed, lastEventId);
    if (isLast && messages.length === 0) return context.body(null, 204);
    context.header('X-Accel-Buffering', 'no');
    return streamSSE(context, async (stream) => {
      const left = new Promise<void>((resolve) => {
        stream.onAbort(resolve);
      });
      let written = Promise.resolve();
      const tell = (event: RelayEvent) => {
        written = written.then(() => stream.writeSSE(event));
      };
      const missed = relay.missed(id, followed, lastEventId);
      for (const event of [missed.state, ...missed.messages]) tell(event);
      followed.listeners.add(tell);
      const alive = setInterval(() => void stream.write(': keep-alive\n\n'), keepAlive);
      await (missed.isLast ? written : left);
      clearInterval(alive);
      followed.listeners.delete(tell);
    });
  });

  // Whatever failed, the workspace delivers again and the widget connects again.
  app.onError((error, context) => {
    console.error(`host: ${error.message}`);
    return context.body(null, 503);
  });

  const server = await listen(app.fetch, options.port ?? 0);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () =>
    new Promise<void>((closed) => {
      server.close(() => closed());
      server.closeAllConnections();
    });
  try {
    webhookSecret = await subscribe(api, `${options.publicUrl ?? url}/host/webhooks`, agentId);
  } catch (error) {
    await close();
    throw error;
  }
  return { url, close };
};

const listen = (fetch: Hono['fetch'], port: number): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = serve({ fetch, port, hostname: '127.0.0.1' }) as Server;
    server.once('error', reject);
    server.once('listening', () => resolve(server));
  });
