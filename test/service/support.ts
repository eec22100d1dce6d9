/** The test service: in memory by default, with a clock that the test moves, and with keys for each test. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach } from 'node:test';
import type { SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { SignJWT } from 'jose';
import type { ChatRequest, ChatResponse, ErrorBody } from '../../contract/wire.ts';
import { apiKeys, verifiedHosts, workspaces } from '../../service/db/schema.ts';
import { newId, newKey, sha256 } from '../../service/core/ids.ts';
import type { Scope } from '../../service/core/scopes.ts';
import { createService, type LogEntry, type Service, type ServiceOptions } from '../../service/service.ts';
import { firstTime, seededFolder } from '../support/servers/database-template.ts';
import { limit } from '../support/time-limits.ts';
import { findPostgres, noPostgresReason, type PostgresServer } from '../support/servers/postgres.ts';
import { afterBody, listen, type Listening, type ReceivedRequest, type Respond } from '../support/servers/listen.ts';

export const origin = 'http://service.test';
const minute = 60_000;
export const hour = 60 * minute;

export interface KeyOptions {
  kind?: 'secret' | 'publishable';
  scopes?: Scope[];
  agentIds?: string[];
  expiresAt?: Date;
  revokedAt?: Date;
}

/** The response of an operation with its parsed body. */
export interface ParsedResponse<Body> {
  status: number;
  headers: Headers;
  body: Body;
  error: ErrorBody['error'];
}

export interface StreamEvent {
  event: string;
  data: any;
}

const testKeys = { publishableKey: `svc_pk_${'p'.repeat(32)}`, secretKey: `svc_sk_${'s'.repeat(32)}` };

const parse = async (response: Response): Promise<ParsedResponse<any>> => {
  const text = await response.text();
  const body = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, headers: response.headers, body, error: body?.error };
};

export class TestService {
  /** Undefined until `start` has resolved. */
  service!: Service;
  readonly clock = { now: firstTime };
  readonly log: LogEntry[] = [];
  /** A secret key with every scope, unless the options have a data folder or a database. */
  readonly secretKey = testKeys.secretKey;

  async start(options: ServiceOptions = {}): Promise<void> {
    const isStored = options.dataDir !== undefined || options.databaseUrl !== undefined;
    const database = isOnPostgres && !isStored ? await emptyDatabase() : undefined;
    const isNew = isStored || database || options.newWorkspace;
    const folder = isNew ? undefined : await seededFolder(options.workspace ?? 'demo');
    const service = await createService({
      ...(database ? { databaseUrl: database.url } : {}),
      ...(folder === undefined ? {} : { dataDir: folder }),
      ...(isStored ? {} : { seed: testKeys }),
      // The processes of a database share its key.
      ...(options.databaseUrl === undefined ? {} : { encryptionKey: 'the key of the tests' }),
      now: () => this.clock.now,
      chunkDelay: 0,
      background: false,
      log: (entry) => this.log.push(entry),
      ...options,
    });
    const close = async () => {
      await service.close();
      await database?.drop();
      if (folder !== undefined) rmSync(folder, { recursive: true });
    };
    this.service = { ...service, close };
  }

  async #findWorkspace(): Promise<string> {
    const [found] = await this.service.db.select({ id: workspaces.id }).from(workspaces);
    return found!.id;
  }

  get agentId() {
    return this.service.demo.agentId;
  }

  get chatPath() {
    return `/agents/${this.agentId}/chat`;
  }

  /** Moves the clock to a new window of the rate limits. */
  nextMinute(): void {
    this.clock.now += minute + 1000;
  }

  async makeKey({ kind = 'secret', scopes = ['chat'], agentIds, expiresAt, revokedAt }: KeyOptions = {}) {
    const key = newKey(kind);
    await this.service.db.insert(apiKeys).values({
      id: newId('key'),
      workspaceId: await this.#findWorkspace(),
      kind,
      label: 'test',
      keyHash: sha256(key),
      scopes,
      agentIds: agentIds ?? null,
      createdAt: new Date(this.clock.now),
      expiresAt: expiresAt ?? null,
      revokedAt: revokedAt ?? null,
    });
    return key;
  }

  request(method: string, path: string, init: { key?: string; body?: unknown; headers?: Record<string, string> } = {}) {
    return new Request(`${origin}/api/v2${path}`, {
      method,
      headers: {
        ...(init.key === undefined ? {} : { authorization: `Bearer ${init.key}` }),
        ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...init.headers,
      },
      ...(init.body === undefined
        ? {}
        : { body: typeof init.body === 'string' ? init.body : JSON.stringify(init.body) }),
    });
  }

  async call<Body = any>(
    method: string,
    path: string,
    init: { key?: string; body?: unknown; headers?: Record<string, string>; address?: string } = {},
  ): Promise<ParsedResponse<Body>> {
    const env =
      init.address === undefined ? {} : { incoming: { readableEnded: true, socket: { remoteAddress: init.address } } };
    return parse(await this.service.fetch(this.request(method, path, init), env));
  }

  /** Calls an operation with a key that has every scope. */
  api<Body = any>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ParsedResponse<Body>> {
    return this.call(method, path, {
      key: this.service.demo.secretKey,
      headers,
      ...(body === undefined ? {} : { body }),
    });
  }

  /** Returns rows of the database. */
  async rows<Table extends PgTable>(table: Table, where?: SQL): Promise<Table['$inferSelect'][]> {
    const from: PgTable = table;
    return this.service.db.select().from(from).where(where);
  }

  async add<Table extends PgTable>(table: Table, rows: Table['$inferInsert'] | Table['$inferInsert'][]): Promise<void> {
    await this.service.db.insert(table).values(rows as any);
  }

  async set<Table extends PgTable, Values extends Table['$inferInsert']>(
    table: Table,
    values: { [Column in keyof Values]?: Values[Column] | SQL },
    where?: SQL,
  ): Promise<void> {
    await this.service.db.update(table).set(values).where(where);
  }

  /** Stores that the owner has verified the host of a URL, so that actions of the agent may call it. */
  async verifyHost(url: string): Promise<void> {
    const verified = { agentId: this.agentId, host: new URL(url).host, verifiedAt: new Date(this.clock.now) };
    await this.service.db.insert(verifiedHosts).values(verified).onConflictDoNothing();
  }

  /** Adds a text to the knowledge of the agent, and indexes it. Returns the path of the source. */
  async addText(text: string, name = 'A text'): Promise<string> {
    const path = `/agents/${this.agentId}/sources`;
    const { status, body } = await this.api('POST', path, { type: 'text', name, text });
    assert.equal(status, 202);
    await this.service.work();
    return `${path}/${body.id}`;
  }

  /** Gives the agent a new identity secret. */
  async newIdentitySecret(): Promise<string> {
    return (await this.callTeam('POST', `/agents/${this.agentId}/identity-secret`)).body.secret;
  }

  /** Signs an identity token as the server of a site. It is valid for an hour, unless the claims say otherwise. */
  identityToken(secret: string, claims: object): Promise<string> {
    const all = { exp: Math.floor(this.clock.now / 1000) + 3600, ...claims };
    return new SignJWT(all).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(secret));
  }

  /** Sends a call of the dashboard, by default with the owner's key. */
  async team(
    method: string,
    path: string,
    { key, body, headers }: { key?: string; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const isRead = method === 'GET';
    return this.service.fetch(
      new Request(`${origin}/team${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key ?? this.service.demo.secretKey}`,
          'content-type': 'application/json',
          ...headers,
        },
        ...(isRead ? {} : { body: JSON.stringify(body ?? {}) }),
      }),
    );
  }

  /** Sends a call of the dashboard, and parses its response. */
  async callTeam(method: string, path: string, body?: unknown, key?: string): Promise<ParsedResponse<any>> {
    return parse(await this.team(method, path, { body, ...(key === undefined ? {} : { key }) }));
  }

  /** Sends a chat call. Without `key` it creates one, so that tests do not share a rate limit. */
  async chat(
    content: string,
    { key, headers, address, ...rest }: Partial<ChatRequest> & ChatInit = {},
  ): Promise<ParsedResponse<ChatResponse>> {
    return this.call('POST', this.chatPath, {
      key: key ?? (await this.makeKey()),
      body: { messages: [{ role: 'user', content }], ...rest },
      ...(headers ? { headers } : {}),
      ...(address === undefined ? {} : { address }),
    });
  }

  /** Sends a streamed chat call and yields its events. */
  async *stream(content: string, { key, ...rest }: Partial<ChatRequest> & ChatInit = {}): AsyncGenerator<StreamEvent> {
    const response = await this.service.fetch(
      this.request('POST', this.chatPath, {
        key: key ?? (await this.makeKey()),
        body: { messages: [{ role: 'user', content }], stream: true, ...rest },
      }),
    );
    yield* readEvents(response);
  }

  /** Sends a streamed chat call, and a result for each call of a client tool. */
  async withTool(content: string, result: object, init: Partial<ChatRequest> & ChatInit = {}) {
    const key = init.key ?? (await this.makeKey({ kind: 'publishable' }));
    const events: StreamEvent[] = [];
    for await (const event of this.stream(content, { ...init, key })) {
      events.push(event);
      if (event.event !== 'client_tool') continue;
      const { conversation_id, conversation_token, call_id } = event.data;
      const body = { conversation_id, conversation_token, call_id, ...result };
      assert.equal((await this.call('POST', `${this.chatPath}/tool-results`, { key, body })).status, 200);
    }
    return { events, call: events.find(({ event }) => event === 'client_tool')?.data, done: events.at(-1)!.data };
  }

  async streamed(content: string, init: Partial<ChatRequest> & ChatInit = {}): Promise<StreamEvent[]> {
    const events: StreamEvent[] = [];
    for await (const event of this.stream(content, init)) events.push(event);
    return events;
  }
}

interface ChatInit {
  key?: string;
  headers?: Record<string, string>;
  address?: string;
}

/** Sends JSON to a service that listens. */
export const post = (
  url: string,
  body: object,
  { key, headers, signal }: { key?: string; headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });

/** Yields the events of a stream. Comments have the event name `comment`. */
export async function* readEvents(response: Response): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
    rest += decoder.decode(bytes, { stream: true });
    const blocks = rest.split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) {
      if (block.startsWith(':')) {
        yield { event: 'comment', data: block.slice(1).trim() };
        continue;
      }
      const event = /^event: (.*)$/m.exec(block)?.[1] ?? 'message';
      const data = /^data: (.*)$/m.exec(block)?.[1];
      yield { event, data: data === undefined ? undefined : JSON.parse(data) };
    }
  }
}

export const createTestService = async (options: ServiceOptions = {}): Promise<TestService> => {
  const tested = new TestService();
  await tested.start(options);
  return tested;
};

let fixtures: Promise<void> = Promise.resolve();

/** Starts fixtures one after the other. Node runs the top-level `before` hooks of a file at the same time. */
export const startBefore = (start: () => void | Promise<void>): void => {
  before(() => {
    fixtures = fixtures.then(start);
    return fixtures;
  });
};

/**
 * Starts a service before the tests of a file and closes it after them. Each test begins in a new window of the rate limits.
 * `options` may depend on earlier fixtures.
 */
export const useTestService = (options: ServiceOptions | (() => ServiceOptions) = {}): TestService => {
  const tested = new TestService();
  startBefore(() => tested.start(typeof options === 'function' ? options() : options));
  // The service is undefined when its start failed.
  after(() => (tested.service as Service | undefined)?.close());
  beforeEach(() => tested.nextMinute());
  return tested;
};

/** Returns a function that makes folders, which are removed after the tests of a file. */
export const useFolders = (): (() => string) => {
  const made: string[] = [];
  after(() => made.forEach((path) => rmSync(path, { recursive: true, force: true })));
  return () => {
    const path = mkdtempSync(join(tmpdir(), 'workspace-test-'));
    made.push(path);
    return path;
  };
};

/** Starts an HTTP server before the tests of a file and closes it after them. Each test begins without received requests. */
export const useServer = (respond: Respond): { readonly url: string; readonly requests: ReceivedRequest[] } => {
  const requests: ReceivedRequest[] = [];
  let server: Listening;
  startBefore(async () => {
    server = await listen(
      afterBody((response, request) => {
        requests.push(request);
        respond(response, request);
      }),
    );
  });
  after(() => server.close());
  beforeEach(() => void (requests.length = 0));
  return {
    requests,
    get url() {
      return server.url;
    },
  };
};

/** Polls until the check returns a value, or true, for effects that have no event to wait for. */
export const eventually = async <Value>(
  check: () => Promise<Value | undefined | false>,
  within = 5_000,
): Promise<Value> => {
  for (const end = performance.now() + limit(within); performance.now() < end;) {
    const value = await check();
    if (value !== undefined && value !== false) return value;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('The expected value did not appear in time.');
};

/** With `TEST_DATABASE=postgres` each service of the tests uses a PostgreSQL database instead of PGlite. */
const isOnPostgres = process.env['TEST_DATABASE'] === 'postgres';
let server: Promise<PostgresServer | undefined> | undefined;

const emptyDatabase = async () => {
  server ??= findPostgres();
  const found = await server;
  if (!found) throw new Error(noPostgresReason);
  return found.database();
};
