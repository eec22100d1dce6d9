/** Creates the service: the Workspace Assistant API as a function, or behind a port. */
import { webhookTimeoutMs } from '../contract/limits.ts';
import { createApp } from './app.ts';
import { createBackground } from './background.ts';
import { createToolCalls } from './chat/tool-calls.ts';
import { keepsAll, type RetentionDays } from './contacts/retention.ts';
import { createTurns } from './chat/turns.ts';
import { createEncryption, encryptionPassphrase, storedPassphrase, type Encryption } from './core/encryption.ts';
import type { Log } from './core/log.ts';
import { noObserver, type Observer } from './core/observer.ts';
import { createMovableClock, type MovableClock } from './db/clock.ts';
import type { Db } from './db/database.ts';
import type { OpenedDatabase } from './db/open.ts';
import { countUnreadableSecrets, reencryptSecrets } from './db/reencrypt.ts';
import { addressRanges } from './http/caller-address.ts';
import type { Dependencies } from './http/dependencies.ts';
import { createFaults } from './http/faults.ts';
import { createLifecycle, type Lifecycle } from './http/lifecycle.ts';
import { createMemoryRateLimits, createSharedRateLimits } from './http/rate-limits.ts';
import { createParser } from './knowledge/parser.ts';
import { listen, type Listening } from './listen.ts';
import type { Embedder } from './knowledge/embedder.ts';
import type { MailSettings } from './mail/settings.ts';
import type { EmbeddingSettings, ModelSettings } from './model/settings.ts';
import { openDatabase } from './open-database.ts';
import { extractiveReplySource } from './replies/extractive.ts';
import type { KnowledgeContext } from './replies/from-knowledge.ts';
import type { ReplySource } from './replies/reply-source.ts';
import { pausedAgentId } from './seed/business.ts';
import { firstIds } from './seed/first-ids.ts';
import { demoKeys } from './seed/demo-keys.ts';
import type { NewWorkspace, WorkspaceKind } from './seed/seed.ts';
import type { SignIn, SignInContext } from './sign-in/sign-in.ts';
import type { SignInSettings } from './sign-in/settings.ts';

export type { LogEntry } from './core/log.ts';
export type { Db } from './db/database.ts';
export type { Listening } from './listen.ts';

export interface ServiceOptions {
  /** The folder of the database and the keys. Without it, the data is in memory only. */
  dataDir?: string;
  /** The URL of a PostgreSQL database to use instead of PGlite. */
  databaseUrl?: string;
  /** The URL of the same database past a connection pooler. The default is `databaseUrl`. */
  directDatabaseUrl?: string;
  /** Encrypts the stored secrets. The default is the environment's key, or the one in the data folder. */
  encryptionKey?: string;
  /** The key that was used before. The service encrypts the stored secrets again with the current one. */
  previousEncryptionKey?: string;
  /** Starts although no stored secret can be decrypted, because the key is lost. */
  replacesSecrets?: boolean;
  /** Milliseconds since the epoch. */
  now?: () => number;
  /** Milliseconds between the chunks of a streamed reply, or a function that returns them for each turn. The default is 30. */
  chunkDelay?: number | (() => number);
  /** Milliseconds between the keep-alive comments of a stream. The default is 10,000. */
  keepAliveMs?: number;
  /** Receives structured log entries without secrets. */
  log?: Log;
  /** Observes operations for metrics and traces. */
  observer?: Observer;
  /** For development: the team may move the time and make calls fail. */
  development?: boolean;
  /** For development: webhooks and actions may call servers of this machine, also over http. */
  allowLoopback?: boolean;
  /** The addresses of proxies in CIDR notation. Their `X-Forwarded-For` header names the caller. */
  trustProxy?: string[];
  /** Milliseconds that a webhook endpoint has to respond. The default is 8,000. */
  deliveryTimeoutMs?: number;
  /** Whether background jobs run automatically. The default is true. `work()` runs them in any case. */
  background?: boolean;
  /** The days for which a workspace without a setting of its own stores conversations and contacts. The default is forever. */
  retention?: RetentionDays;
  /** The mail server that sends notices. Without it, they are stored only. */
  mail?: MailSettings;
  /** The OpenID provider for the team page. Without it, only a secret key opens the page. */
  signIn?: SignInSettings;
  /** The workspace of a new database. Says so when the database has one already. */
  workspace?: WorkspaceKind;
  /** The workspace of a new database without `workspace`. The default is `demo`, for the demo and the tests. */
  defaultWorkspace?: WorkspaceKind;
  /** The names of a new workspace of the kind `empty`. */
  newWorkspace?: NewWorkspace;
  /** The language model that writes replies. Without it, replies are passages of the knowledge. */
  model?: ModelSettings;
  /** The model that finds passages by their meaning. Without it, they are found by their terms only. */
  embeddings?: EmbeddingSettings;
  /** The keys of the demo workspace. The default is random keys. */
  seed?: { publishableKey?: string; secretKey?: string };
  /** Receives progress messages while the service starts. */
  onProgress?: (text: string) => void;
}

export interface Service {
  fetch(request: Request, env?: unknown): Promise<Response>;
  demo: { agentId: string; pausedAgentId: string; publishableKey: string; secretKey: string };
  db: Db;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs all background jobs that are due. */
  work(): Promise<void>;
  /** Port 0 selects a free port. */
  listen(port?: number, host?: string): Promise<Listening>;
  /** Rejects new turns with 503, and waits for those that run. At the deadline, the rest ends with an `error` event. */
  drain(deadlineMs: number): Promise<void>;
  /** Ends open streams with an `error` event, then closes the database. */
  close(): Promise<void>;
}

export const createService = async (options: ServiceOptions = {}): Promise<Service> => {
  const { log = () => {}, onProgress = () => {} } = options;
  const database = await openDatabase({ ...options, beforeMigration: requireKey(options) }, log, onProgress);
  try {
    return await startOn(database, options, log);
  } catch (error) {
    await database.close();
    throw error;
  }
};

const startOn = async (database: OpenedDatabase, options: ServiceOptions, log: Log): Promise<Service> => {
  const { db } = database;
  const realTime = options.now ?? Date.now;
  const clock = options.development ? await createMovableClock(db, database.signals, realTime) : undefined;
  const now = clock?.now ?? realTime;
  const { keys, agentId, ...stored } = await secrets(db, options, now, log);
  const lifecycle = createLifecycle();
  const dependencies = await createDependencies(options, database, { now, clock, log, lifecycle, ...stored });
  const background = await createBackground(dependencies, {
    deliveryTimeoutMs: options.deliveryTimeoutMs ?? webhookTimeoutMs,
  });
  if (options.background ?? true) background.start();
  if (options.development) log({ level: 'warn', event: 'development_mode' });
  if (dependencies.allowLoopback) log({ level: 'warn', event: 'loopback_allowed' });
  const app = createApp(dependencies);
  const fetch = async (request: Request, env?: unknown): Promise<Response> => {
    const response = await app.fetch(request, env ?? {});
    // The call may have stored work. Without this, the work would wait for the runner's next interval.
    if (request.method !== 'GET') background.wake();
    return response;
  };
  const listeners = new Set<Listening>();

  return {
    fetch,
    demo: { agentId, pausedAgentId, ...keys },
    db,
    now,
    work: () => background.drain(),
    async listen(port = 0, host = '127.0.0.1') {
      const listening = await listen(fetch, port, host);
      const listener: Listening = {
        ...listening,
        close: () => {
          listeners.delete(listener);
          return listening.close();
        },
      };
      listeners.add(listener);
      return listener;
    },
    async drain(deadlineMs) {
      await Promise.all([lifecycle.drain(deadlineMs), background.stop()]);
    },
    async close() {
      await lifecycle.drain(0);
      // The calls in flight may still need the parser and the database.
      await Promise.all([...listeners].map((listener) => listener.close()));
      await background.stop();
      await dependencies.parser.close();
      dependencies.mailer?.close();
      await database.close();
    },
  };
};

/**
 * A database is not migrated with the key of another one. The check is repeated when the database is ready, for two processes that
 * start at once on an empty database. A key that is missing is not created yet, because it could decrypt nothing.
 */
const requireKey =
  ({ dataDir, encryptionKey, previousEncryptionKey, replacesSecrets }: ServiceOptions) =>
  async (db: Db): Promise<void> => {
    if (replacesSecrets) return;
    const passphrase = encryptionKey ?? (await storedPassphrase(dataDir)) ?? '';
    await countUnreadableSecrets(db, createEncryption(passphrase, previousEncryptionKey));
  };

const secrets = async (db: Db, options: ServiceOptions, now: () => number, log: Log) => {
  const { dataDir: folder, seed: given = {}, encryptionKey, previousEncryptionKey } = options;
  const encryption = createEncryption(encryptionKey ?? (await encryptionPassphrase(folder)), previousEncryptionKey);
  if (!options.replacesSecrets) {
    const unreadable = await countUnreadableSecrets(db, encryption);
    if (unreadable > 0) log({ level: 'warn', event: 'secrets_unreadable', unreadable });
  }
  if (previousEncryptionKey !== undefined) {
    log({ level: 'info', event: 'secrets_reencrypted', ...(await reencryptSecrets(db, encryption)) });
  }
  const { workspaceId, agentId } = await firstIds(db);
  const { replacesSecrets } = options;
  const keys = await demoKeys(db, { workspaceId, at: now(), given, folder, encryption, replacesSecrets });
  return { encryption, keys, agentId, workspaceId };
};

interface Runtime {
  clock: MovableClock | undefined;
  now: () => number;
  log: Log;
  encryption: Encryption;
  lifecycle: Lifecycle;
  workspaceId: string;
}

const createDependencies = async (
  { chunkDelay = 30, ...options }: ServiceOptions,
  { db, signals, isShared, newHolder }: OpenedDatabase,
  { now, clock, log, encryption, lifecycle, workspaceId }: Runtime,
): Promise<Dependencies> => {
  const embedder = await loadEmbedder(options.embeddings, now, log);
  return {
    db,
    now,
    newHolder,
    log,
    embedder,
    replySource: await createReplySource({ db, embedder }, options.model, log),
    toolCalls: createToolCalls(db, signals, now),
    turns: createTurns({ db, now, newHolder, closing: lifecycle.closing }),
    rateLimits: isShared ? createSharedRateLimits(db, now) : createMemoryRateLimits(now),
    retention: options.retention ?? keepsAll,
    mailer: options.mail && (await import('./mail/mailer.ts')).createMailer(options.mail),
    signIn: options.signIn && (await loadSignIn({ settings: options.signIn, workspaceId, encryption, now })),
    observer: options.observer ?? noObserver,
    development: clock && { clock, ...createFaults(lifecycle.closing) },
    trustedProxies: addressRanges(options.trustProxy ?? []),
    chunkDelay: typeof chunkDelay === 'number' ? () => chunkDelay : chunkDelay,
    keepAliveMs: options.keepAliveMs ?? 10_000,
    ...lifecycle,
    encryption,
    parser: createParser(),
    allowLoopback: options.allowLoopback ?? false,
  };
};

/** Loads the library for the provider only when one is configured. */
const loadSignIn = async (context: SignInContext): Promise<SignIn> => {
  const { createSignIn } = await import('./sign-in/sign-in.ts');
  return createSignIn(context);
};

/** Loads the libraries for language models only when a model is configured. */
const createReplySource = async (
  knowledge: KnowledgeContext,
  model: ModelSettings | undefined,
  log: Log,
): Promise<ReplySource> => {
  if (!model) return extractiveReplySource(knowledge);
  const { modelReplySource } = await import('./model/model-replies.ts');
  return modelReplySource(knowledge, model, log);
};

const loadEmbedder = async (
  settings: EmbeddingSettings | undefined,
  now: () => number,
  log: Log,
): Promise<Embedder | undefined> => {
  if (!settings) return undefined;
  const { createEmbedder } = await import('./model/embeddings.ts');
  return createEmbedder(settings, now, log);
};
