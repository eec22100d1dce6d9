/** The site's own backend: it proves which customer is signed in, receives webhooks, and relays replies of the team. */
import { serve } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { Hono, type Context } from 'hono';
import { cors } from 'hono/cors';
import { streamSSE } from 'hono/streaming';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RefusedError, workspaceApi, type Api, type WorkspaceOptions } from './api.ts';
import { Bindings } from './bindings.ts';
import { customerRoutes, Sessions } from './customers.ts';
import { CustomerConversations, historyRoutes } from './history.ts';
import { ratingRoutes } from './ratings.ts';
import { Relay, type RelayEvent } from './relay.ts';
import { transcriptRoutes, type MailOptions } from './transcripts.ts';
import { createEventFilter, isGenuine, isTimely, readWebhook, subscribe, type WebhookEvent } from './webhooks.ts';

export interface HostOptions extends WorkspaceOptions {
  /** The agent's identity secret. Without it, the sign-in is off. */
  identitySecret?: string | undefined;
  /** The public address of this server for the workspace. By default, its own address. */
  publicUrl?: string | undefined;
  /** The file that keeps the proofs of conversations over a restart. Without it, they are in memory. */
  bindingsFile?: string | undefined;
  /** The file that keeps which conversations are a customer's. Without it, they are in memory. */
  historyFile?: string | undefined;
  /** The mail server for transcripts. Without it, none are sent. */
  mail?: MailOptions | undefined;
  /** The URL of the team side, where ratings are stored. Without it, none are. */
  teamUrl?: string | undefined;
  /** The addresses of proxies in front of this server. The last address in their `X-Forwarded-For` is the visitor's. */
  trustedProxies?: string[];
  /** Other origins whose pages may connect to the relay. */
  origins?: string[];
  port?: number;
  /** Milliseconds since the epoch. */
  now?: () => number;
  /** Milliseconds between the comments that keep an idle connection open. */
  keepAlive?: number;
}

export interface Host {
  /** The address of the server. Its routes are under `/host`. */
  url: string;
  close(): Promise<void>;
}

/** The dependencies and the state of the routes. */
interface HostState {
  api: Api;
  relay: Relay;
  bindings: Bindings;
  sessions: Sessions;
  conversations: CustomerConversations;
  now: () => number;
  /** The secret of the webhook endpoint. Empty until the endpoint is subscribed. */
  webhookSecret: string;
}

/** Streams the events of a conversation to a page until the page disconnects or the conversation has ended. */
const streamReplies = async (
  context: Context,
  { relay, sessions, conversations, address, keepAlive }: HostState & { address: string; keepAlive: number },
): Promise<Response> => {
  const id = context.req.query('conversation_id') ?? '';
  const result = await relay.follow(id, context.req.header('x-conversation-proof') ?? '', address);
  if (result.kind === 'rejected') return context.body(null, 403);
  if (result.kind === 'limited') return context.body(null, 429, { 'Retry-After': String(result.retryAfter) });
  const { followed } = result;
  const customer = sessions.customerOf(context);
  if (customer) await conversations.add(customer.id, id);
  const lastEventId = context.req.header('last-event-id');
  const { messages, isLast } = relay.missedEvents(id, followed, lastEventId);
  if (isLast && messages.length === 0) return context.body(null, 204);
  context.header('X-Accel-Buffering', 'no');
  return streamSSE(context, async (stream) => {
    const disconnected = new Promise<void>((resolve) => {
      stream.onAbort(resolve);
    });
    let written = Promise.resolve();
    const send = (event: RelayEvent) => {
      written = written.then(() => stream.writeSSE(event));
    };
    const missed = relay.missedEvents(id, followed, lastEventId);
    for (const event of [missed.state, ...missed.messages]) send(event);
    followed.listeners.add(send);
    const alive = setInterval(() => void stream.write(': keep-alive\n\n'), keepAlive);
    await (missed.isLast ? written : disconnected);
    clearInterval(alive);
    followed.listeners.delete(send);
  });
};

/** Limits count each visitor, so the address behind a proxy of this site is the one that the proxy adds. */
const visitorAddress = (context: Context, trustedProxies: string[]): string => {
  const address = getConnInfo(context).remote.address ?? '';
  const forwarded = context.req.header('x-forwarded-for')?.split(',').at(-1)?.trim();
  return trustedProxies.includes(address) && forwarded ? forwarded : address;
};

const createApp = (
  state: HostState,
  {
    agentId,
    secretKey,
    identitySecret,
    mail,
    teamUrl,
    origins = [],
    keepAlive = 20_000,
    trustedProxies = [],
  }: HostOptions,
) => {
  const { api, relay, bindings, sessions, conversations, now } = state;
  const isNew = createEventFilter(now);
  const app = new Hono().basePath('/host');
  if (identitySecret) {
    app.route('/', customerRoutes({ sessions, identitySecret, now }));
    app.route('/', historyRoutes({ api, sessions, conversations }));
  }
  if (mail) app.route('/', transcriptRoutes({ api, bindings, sessions, mail, now }));
  if (teamUrl) {
    const team = workspaceApi({ baseUrl: teamUrl, secretKey, agentId });
    app.route('/', ratingRoutes({ api, team, agentId, bindings, now }));
  }

  app.post('/webhooks', async (context) => {
    const signature = context.req.header('x-service-signature') ?? '';
    const { webhookSecret } = state;
    if (!webhookSecret || !isTimely(signature, now())) return context.body(null, 401);
    const raw = await readWebhook(context.req.raw);
    if (!raw) return context.body(null, 413);
    if (!isGenuine(raw, signature, webhookSecret, now())) return context.body(null, 401);
    const event = JSON.parse(raw.toString()) as WebhookEvent;
    if (isNew(event.id)) relay.handleWebhook(event);
    return context.body(null, 204);
  });

  app.use('/replies', cors({ origin: origins, allowHeaders: ['X-Conversation-Proof', 'Last-Event-ID'], maxAge: 7200 }));
  app.get('/replies', (context) =>
    streamReplies(context, { ...state, address: visitorAddress(context, trustedProxies), keepAlive }),
  );

  // After a 503, the workspace delivers the webhook again and the widget connects again.
  app.onError((error, context) => {
    // The text of the response may quote data of a contact.
    console.error(`host: ${error instanceof RefusedError ? `${error.name} ${error.status}` : error.name}`);
    return context.body(null, 503);
  });
  return app;
};

/** Starts the server and subscribes its webhook endpoint. */
export const startHost = async (options: HostOptions): Promise<Host> => {
  const { agentId, now = Date.now } = options;
  const api = workspaceApi(options);
  const bindings = new Bindings(options.bindingsFile, now);
  const state: HostState = {
    api,
    relay: new Relay({ api, agentId, bindings, now }),
    bindings,
    sessions: new Sessions(),
    conversations: new CustomerConversations(options.historyFile),
    now,
    webhookSecret: '',
  };
  const server = await listen(createApp(state, options).fetch, options.port ?? 0);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () =>
    new Promise<void>((closed) => {
      server.close(() => closed());
      server.closeAllConnections();
    });
  try {
    state.webhookSecret = await subscribe(api, `${options.publicUrl ?? url}/host/webhooks`, agentId);
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
