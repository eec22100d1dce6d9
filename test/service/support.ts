/** A service to test with: in memory unless told otherwise, on a clock the test moves, with keys made for the purpose. */
import type { ChatRequest, ChatResponse, ErrorBody } from '../../contract/wire.ts';
import { apiKeys } from '../../service/db/schema.ts';
import { newId, newKey, sha256 } from '../../service/core/ids.ts';
import type { Scope } from '../../service/core/scopes.ts';
import { createService, type LogEntry, type Service, type ServiceOptions } from '../../service/service.ts';
import { findPostgres, noPostgresReason, type PostgresServer } from '../support/servers/postgres.ts';

export const origin = 'http://service.test';
const minute = 60_000;
export const hour = 60 * minute;

export interface KeyOptions {
  kind?: 'secret' | 'publishable';
  scopes?: Scope[];
  agentIds?: string[];
  expiresAt?: Date;
  revokedAt?: Date;
  makerId?: string;
}

/** An answer of any operation, read once. */
export interface Answered<Body> {
  status: number;
  headers: Headers;
  body: Body;
  error: ErrorBody['error'];
}

export interface StreamEvent {
  event: string;
  data: any;
}

export class TestService {
  readonly service: Service;
  readonly clock: { now: number };
  readonly log: LogEntry[];

  constructor(service: Service, clock: { now: number }, log: LogEntry[]) {
    this.service = service;
    this.clock = clock;
    this.log = log;
  }

  get agentId() {
    return this.service.demo.agentId;
  }

  get chatPath() {
    return `/agents/${this.agentId}/chat`;
  }

  /** Long enough for every allowance of the minute to be whole again. */
  nextMinute(): void {
    this.clock.now += minute + 1000;
  }

  async makeKey({ kind = 'secret', scopes = ['chat'], agentIds, expiresAt, revokedAt, makerId }: KeyOptions = {}) {
    const key = newKey(kind);
    await this.service.db.insert(apiKeys).values({
      id: newId('key'),
      workspaceId: 'wsp_palm_and_clay',
      kind,
      label: 'test',
      keyHash: sha256(key),
      scopes,
      agentIds: agentIds ?? null,
      createdAt: new Date(this.clock.now),
      expiresAt: expiresAt ?? null,
      revokedAt: revokedAt ?? null,
      makerId: makerId ?? null,
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
  ): Promise<Answered<Body>> {
    const env = init.address === undefined ? {} : { incoming: { socket: { remoteAddress: init.address } } };
    const response = await this.service.fetch(this.request(method, path, init), env);
    const text = await response.text();
    const body = text === '' ? undefined : JSON.parse(text);
    return { status: response.status, headers: response.headers, body, error: body?.error };
  }

  /** A chat call with a key of its own, unless one is given, so that no test spends another's allowance. */
  async chat(
    content: string,
    { key, headers, address, ...rest }: Partial<ChatRequest> & ChatInit = {},
  ): Promise<Answered<ChatResponse>> {
    return this.call('POST', this.chatPath, {
      key: key ?? (await this.makeKey()),
      body: { messages: [{ role: 'user', content }], ...rest },
      ...(headers ? { headers } : {}),
      ...(address === undefined ? {} : { address }),
    });
  }

  /** A streamed chat call, its events one by one. */
  async *stream(content: string, { key, ...rest }: Partial<ChatRequest> & ChatInit = {}): AsyncGenerator<StreamEvent> {
    const response = await this.service.fetch(
      this.request('POST', this.chatPath, {
        key: key ?? (await this.makeKey()),
        body: { messages: [{ role: 'user', content }], stream: true, ...rest },
      }),
    );
    yield* readEvents(response);
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

/** Comments come as events named `comment`. */
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
  const clock = { now: Date.parse('2026-10-05T06:00:00.000Z') };
  const log: LogEntry[] = [];
  const database = isOnPostgres && !options.dataDir && !options.databaseUrl ? await emptyDatabase() : undefined;
  const service = await createService({
    ...(database ? { databaseUrl: database.url } : {}),
    now: () => clock.now,
    chunkDelay: 0,
    background: false,
    log: (entry) => log.push(entry),
    ...options,
  });
  if (!database) return new TestService(service, clock, log);
  const close = async () => {
    await service.close();
    await database.drop();
  };
  return new TestService({ ...service, close }, clock, log);
};

/** `TEST_DATABASE=postgres`: every service of the tests has a database on a PostgreSQL server, instead of PGlite. */
const isOnPostgres = process.env['TEST_DATABASE'] === 'postgres';
let server: Promise<PostgresServer | undefined> | undefined;

const emptyDatabase = async () => {
  server ??= findPostgres();
  const found = await server;
  if (!found) throw new Error(noPostgresReason);
  return found.database();
};
