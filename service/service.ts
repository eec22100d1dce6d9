/** The local service: the Workspace Assistant API on an embedded database, as a function or behind a port. */
import { serve } from '@hono/node-server';
import { sql } from 'drizzle-orm';
import { setMaxListeners } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { webhookTimeoutMs } from '../contract/limits.ts';
import { extractiveReplySource } from './replies/extractive.ts';
import { createToolCalls } from './chat/tool-calls.ts';
import { createTurns } from './chat/turns.ts';
import { releaseAllLeases } from './db/lease.ts';
import { openPglite, openPostgres, seedLock, type Db, type OpenedDatabase } from './db/open.ts';
import { cachedSnapshot, saveSnapshot } from './db/snapshot.ts';
import { createEncryption, encryptionPassphrase } from './core/encryption.ts';
import { createBackground } from './background.ts';
import { createApp } from './app.ts';
import type { LogEntry, Dependencies } from './http/environment.ts';
import type { ModelSettings } from './model/settings.ts';
import { createMemoryRateLimits, createSharedRateLimits } from './http/rate-limits.ts';
import { basePath } from './core/version.ts';
import { agentId, pausedAgentId } from './seed/business.ts';
import { demoKeys } from './seed/demo-keys.ts';
import { isSeeded, seedWorkspace, type WorkspaceKind } from './seed/seed.ts';

export type { LogEntry } from './http/environment.ts';
export type { Db } from './db/open.ts';

export interface ServiceOptions {
  /** A folder to keep the data in; absent: in memory. */
  dataDir?: string;
  /** A PostgreSQL URL, used instead of PGlite. */
  databaseUrl?: string;
  /** Milliseconds since the epoch. */
  now?: () => number;
  /** Milliseconds between pieces of a streamed answer; 30 unless told. */
  chunkDelay?: number;
  /** Milliseconds between keep-alive comments; 10,000 unless told. */
  keepAliveMs?: number;
  /** Structured, without secrets; silent unless given. */
  log?: (entry: LogEntry) => void;
  /** Whether webhooks and actions may speak to this machine's own servers, over http too; for development only. */
  allowLoopback?: boolean;
  /** Milliseconds a webhook endpoint has to answer; 8,000 unless told. */
  deliveryTimeoutMs?: number;
  /** Whether work in the background is looked for by itself; true unless told. `work()` does it in any case. */
  background?: boolean;
  /** What a new database begins with; the demo's workspace unless told. */
  workspace?: WorkspaceKind;
  /** A language model that answers; absent: answers come from the knowledge, word for word. */
  model?: ModelSettings;
  /** Keys to use for the demo workspace instead of random ones. */
  seed?: { publishableKey?: string; secretKey?: string };
  /** Told what a start that takes a while is doing. */
  onProgress?: (text: string) => void;
}

export interface Listening {
  /** `http://127.0.0.1:PORT` */
  url: string;
  /** The same with `/api/v2`. */
  baseUrl: string;
  close(): Promise<void>;
}

export interface Service {
  fetch(request: Request, env?: unknown): Promise<Response>;
  demo: { agentId: string; pausedAgentId: string; publishableKey: string; secretKey: string };
  db: Db;
  /** Does all the background work that is due. */
  work(): Promise<void>;
  /** Port 0 picks a free one. */
  listen(port?: number, host?: string): Promise<Listening>;
  /** Ends open streams, then the database. */
  close(): Promise<void>;
}

export const createService = async (options: ServiceOptions = {}): Promise<Service> => {
  const { now = Date.now, log = () => {}, onProgress = () => {} } = options;
  const opened = await openSeeded(options, log, onProgress);
  const { db } = opened;
  const [keys, phrase] = await Promise.all([
    demoKeys(db, now(), options.seed ?? {}, options.dataDir),
    encryptionPassphrase(options.dataDir),
  ]).catch(async (error: unknown) => {
    await opened.close();
    throw error;
  });

  const closing = new AbortController();
  // Every turn at hand listens, and there is no telling how many are.
  setMaxListeners(0, closing.signal);
  const dependencies: Dependencies = {
    db,
    now,
    log,
    replySource: await createReplySource(db, options.model, log),
    toolCalls: createToolCalls(db, opened.signals, now),
    turns: createTurns(db, now),
    rateLimits: opened.isShared ? createSharedRateLimits(db, now) : createMemoryRateLimits(now),
    chunkDelay: options.chunkDelay ?? 30,
    keepAliveMs: options.keepAliveMs ?? 10_000,
    closing: closing.signal,
    running: new Set(),
    encryption: createEncryption(phrase),
    allowLoopback: options.allowLoopback ?? false,
  };
  const background = createBackground(dependencies, {
    deliveryTimeoutMs: options.deliveryTimeoutMs ?? webhookTimeoutMs,
  });
  if (options.background ?? true) background.start();
  if (dependencies.allowLoopback) log({ level: 'warn', event: 'loopback_allowed' });
  const app = createApp(dependencies);
  const listeners = new Set<Listening>();

  return {
    fetch: async (request, env) => app.fetch(request, env ?? {}),
    demo: { agentId, pausedAgentId, ...keys },
    db,
    work: () => background.drain(),
    async listen(port = 0, host = '127.0.0.1') {
      const listening = await listen(app.fetch, port, host);
      const listener = {
        ...listening,
        close: async () => {
          listeners.delete(listener);
          await listening.close();
        },
      };
      listeners.add(listener);
      return listener;
    },
    async close() {
      closing.abort();
      await Promise.allSettled(dependencies.running);
      await background.stop();
      await Promise.all([...listeners].map((listener) => listener.close()));
      await opened.close();
    },
  };
};

/** What speaks with a model is loaded only where there is one. */
const createReplySource = async (db: Db, model: ModelSettings | undefined, log: (entry: LogEntry) => void) => {
  if (!model) return extractiveReplySource(db);
  const { modelReplySource } = await import('./model/model-replies.ts');
  return modelReplySource(db, model, log);
};

const openSeeded = async (
  { dataDir, databaseUrl, workspace }: ServiceOptions,
  log: (entry: LogEntry) => void,
  onProgress: (text: string) => void,
): Promise<OpenedDatabase> => {
  const kind = workspace ?? 'demo';
  onProgress(databaseUrl === undefined ? 'Opening the database…' : 'Connecting to PostgreSQL…');
  const opened =
    databaseUrl === undefined
      ? await openPglite({
          ...(dataDir === undefined ? {} : { dataDir }),
          ...(kind === 'demo' ? { snapshot: cachedSnapshot } : {}),
        })
      : await openPostgres(databaseUrl, (error) =>
          log({ level: 'error', event: 'database_connection_lost', error: error.message }),
        );
  try {
    if (!opened.isShared && !opened.isNew) await releaseAllLeases(opened.db);
    if (await isSeeded(opened.db)) {
      if (workspace !== undefined && !opened.isNew) onProgress('There is a workspace already, which stays as it is.');
    } else {
      onProgress('Creating the workspace (only this once)…');
      await opened.db.transaction(async (tx) => {
        // Two processes that start on one empty database: the second waits, and finds it seeded.
        await tx.execute(sql`select pg_advisory_xact_lock(${seedLock})`);
        if (!(await isSeeded(tx))) await seedWorkspace(tx, kind);
      });
      if (opened.dump && kind === 'demo') await saveSnapshot(await opened.dump());
    }
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
};

const listen = (fetch: Parameters<typeof serve>[0]['fetch'], port: number, hostname: string): Promise<Listening> => {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch, port, hostname }) as Server;
    server.once('error', reject);
    server.once('listening', () => {
      const { port: chosen } = server.address() as AddressInfo;
      const host = hostname.includes(':') ? `[${hostname}]` : hostname;
      const url = `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${chosen}`;
      resolve({
        url,
        baseUrl: `${url}${basePath}`,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            server.closeAllConnections();
          }),
      });
    });
  });
};
