/** Calls a running service over HTTP for the checks of the statements. The same checks run on every kind of database. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { SignJWT } from 'jose';
import type { ErrorBody } from '../../../contract/wire.ts';
import type { Scope } from '../../../service/core/scopes.ts';
import { scopes } from '../../../service/core/scopes.ts';
import { agentId, pausedAgentId, workspace } from '../../../service/seed/business.ts';
import { limit } from '../../support/time-limits.ts';
import { readEvents, type ParsedResponse, type StreamEvent } from '../support.ts';
import { LocalServer } from './local-server.ts';
import { MissingError } from './missing.ts';
import { WebhookEndpoint } from './webhook-endpoint.ts';
import type { World } from './world.ts';

export interface CallInit {
  /** By default, a key with every scope and calls left in this minute. Null sends none. */
  key?: string | null;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface KeyInit {
  kind?: 'secret' | 'publishable';
  scopes?: readonly Scope[];
  agentIds?: string[] | null;
  expiresAt?: string | null;
  label?: string;
}

export interface TestedService {
  /** Without a path: `http://127.0.0.1:8787`. */
  origin: string;
  /** A key of the owner. */
  ownerKey: string;
  world: World;
  /** The number of processes behind the origin. */
  processes: number;
}

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** Below the limits of a minute, because a check may make several calls with one key. */
const maxCalls = 50;
const maxChats = 15;
const maxTeamCalls = 250;

export class StatementContext {
  readonly agentId: string = agentId;
  readonly workspaceId: string = workspace.id;
  readonly server: LocalServer;
  readonly #service: TestedService;
  #spare = { key: '', calls: maxCalls, chats: maxChats };
  #teamKey: { key: string; calls: number };
  #names = 0;

  constructor(service: TestedService, server = new LocalServer()) {
    this.#service = service;
    this.server = server;
    this.#teamKey = { key: service.ownerKey, calls: 0 };
  }

  get pausedAgentId(): string {
    return pausedAgentId;
  }

  get world(): World {
    return this.#service.world;
  }

  /** Returns a text that no other check uses. */
  unique(prefix: string): string {
    return `${prefix}${++this.#names}x${this.#service.processes}`;
  }

  /** Sends a call, again while the service has too much to do: no statement is about that. */
  async send(method: string, url: string, init: CallInit = {}): Promise<Response> {
    return this.until(async () => {
      const response = await this.#sendOnce(method, url, init);
      if (response.status !== 503) return response;
      const { error } = (await response.clone().json()) as ErrorBody;
      return error.code !== 'service_unavailable' && response;
    });
  }

  async #sendOnce(method: string, url: string, { key = null, body, headers }: CallInit): Promise<Response> {
    return fetch(`${this.#service.origin}${url}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  }

  /** Calls an operation of the API. */
  async call(method: string, path: string, init: CallInit = {}): Promise<ParsedResponse<any>> {
    const key = init.key === undefined ? await this.spareKey(path.endsWith('/chat')) : init.key;
    return parsed(await this.send(method, `/api/v2${path}`, { ...init, key }));
  }

  /** Calls an operation and asserts that it succeeds. Returns the body. */
  async get(path: string, init: CallInit = {}): Promise<any> {
    const { status, body } = await this.call('GET', path, init);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  }

  /** Calls an operation of the dashboard and asserts that it succeeds. Returns the body. */
  async team(method: string, path: string, body?: object, ownKey?: string): Promise<any> {
    const key = ownKey ?? (await this.#spareTeamKey());
    const response = await parsed(await this.send(method, `/team${path}`, { key, ...(body ? { body } : {}) }));
    assert.ok(response.status < 300, `${method} /team${path}: ${response.status} ${JSON.stringify(response.body)}`);
    return response.body;
  }

  /** Sends a plain chat call, by default to the demo's agent. */
  async chat(
    content: string,
    { key, headers, to = this.agentId, ...rest }: ChatInit = {},
  ): Promise<ParsedResponse<any>> {
    const body = { messages: [{ role: 'user', content }], ...rest };
    return this.call('POST', `/agents/${to}/chat`, {
      body,
      ...(key === undefined ? {} : { key }),
      ...(headers ? { headers } : {}),
    });
  }

  /** Sends a streamed chat call and collects its events. `onTool` may send results while the stream is open. */
  async stream(content: string, init: ChatInit = {}, onTool?: (call: any) => Promise<void>): Promise<StreamEvent[]> {
    const { key = await this.spareKey(true), headers, to = this.agentId, ...rest } = init;
    const body = { messages: [{ role: 'user', content }], stream: true, ...rest };
    const response = await this.send('POST', `/api/v2/agents/${to}/chat`, {
      key,
      body,
      ...(headers ? { headers } : {}),
    });
    assert.equal(response.headers.get('content-type')?.split(';')[0], 'text/event-stream');
    const events: StreamEvent[] = [];
    for await (const event of readEvents(response)) {
      events.push(event);
      if (event.event === 'client_tool') await onTool?.(event.data);
    }
    return events;
  }

  /** Returns a key of the owner with every scope that has calls left in this minute. */
  async spareKey(isChat = false): Promise<string> {
    if (this.#spare.calls >= maxCalls || this.#spare.chats >= maxChats) {
      this.#spare = { key: await this.makeKey({ scopes }), calls: 0, chats: 0 };
    }
    this.#spare.calls++;
    if (isChat) this.#spare.chats++;
    return this.#spare.key;
  }

  /** Returns a key of the owner that has calls of the dashboard left in this minute. */
  async #spareTeamKey(): Promise<string> {
    const { key, calls } = this.#teamKey;
    if (calls >= maxTeamCalls) this.#teamKey = { key: await this.makeKey({ scopes }, key), calls: 0 };
    this.#teamKey.calls++;
    return this.#teamKey.key;
  }

  async makeKey(init: KeyInit = {}, ownerKey?: string): Promise<string> {
    return (await this.makeKeyWithId(init, ownerKey)).key;
  }

  async makeKeyWithId(init: KeyInit = {}, ownerKey?: string): Promise<{ id: string; key: string }> {
    const { kind = 'secret', scopes: granted = ['chat'], agentIds = null, expiresAt = null, label = 'check' } = init;
    const body = { label, kind, scopes: granted, agent_ids: agentIds, expires_at: expiresAt };
    return this.team('POST', '/keys', body, ownerKey);
  }

  /** Creates a live agent without knowledge and returns its id. */
  async makeAgent(ownerKey?: string): Promise<string> {
    const { id } = await this.team(
      'POST',
      '/agents',
      { name: this.unique('Agent '), time_zone: 'Asia/Muscat' },
      ownerKey,
    );
    return id as string;
  }

  /** Returns a live agent that the check may change, with whatever other checks have added to it. */
  async someAgent(): Promise<string> {
    return this.makeAgent();
  }

  /**
   * Returns the path of an enabled action of the demo's agent.
   * @throws {MissingError} When the agent has none with this name.
   */
  async action(name: string): Promise<string> {
    const path = `/agents/${this.agentId}/actions`;
    const { data } = await this.get(path);
    const action = data.find((each: any) => each.name === name && each.enabled);
    if (action === undefined) throw new MissingError(`the action ${name} of the demo`);
    return `${path}/${action.id}`;
  }

  /** Makes an identity secret of an agent. */
  async identitySecret(agent: string): Promise<string> {
    return (await this.team('POST', `/agents/${agent}/identity-secret`, {})).secret;
  }

  /** The id of a member who can reply for the demo's agent. */
  get memberId(): string {
    return 'mem_yusuf';
  }

  /** The time of the service, in milliseconds. */
  async now(): Promise<number> {
    return Date.parse((await this.team('GET', '/clock')).now);
  }

  /** Moves the time of all processes forward. */
  advance(milliseconds: number): Promise<void> {
    return this.#moveClock({ advance_seconds: milliseconds / 1000 });
  }

  /** Moves the time of all processes. */
  moveTo(at: Date): Promise<void> {
    return this.#moveClock({ now: at.toISOString() });
  }

  async #moveClock(change: object): Promise<void> {
    const { offset_seconds } = await this.team('POST', '/clock', change);
    // A process learns of the new time by a signal. Successive calls reach the processes in turn.
    let inTurn = 0;
    if (this.#service.processes > 1)
      await this.until(async () => {
        while ((await this.team('GET', '/clock')).offset_seconds === offset_seconds)
          if (++inTurn === this.#service.processes * 2) return true;
        inTurn = 0;
        return false;
      });
  }

  /** Moves the time to a new window of the rate limits. */
  nextMinute(): Promise<void> {
    return this.advance(minute + 1000);
  }

  /** Polls until the function returns a value. */
  async until<Value>(read: () => Promise<Value | undefined | false> | Value | undefined | false): Promise<Value> {
    let interval = 5;
    for (const begun = Date.now(); Date.now() - begun < limit(20_000); interval = Math.min(interval * 1.5, 100)) {
      const value = await read();
      if (value !== undefined && value !== false) return value;
      await new Promise((resolve) => setTimeout(resolve, interval));
    }
    throw new Error('The expected value did not appear in time.');
  }

  /** Sends a creating call twice with one Idempotency-Key. */
  async repeat(path: string, body: object): Promise<[first: ParsedResponse<any>, again: ParsedResponse<any>]> {
    const key = await this.spareKey(path.endsWith('/chat'));
    const init = { key, body, headers: { 'idempotency-key': this.unique('repeated-') } };
    return [await this.call('POST', path, init), await this.call('POST', path, init)];
  }

  /** Returns the first two items of a list, which it reads as two pages. */
  async firstTwo(path: string): Promise<any[]> {
    const first = await this.get(`${path}?limit=1`);
    const second = await this.get(`${path}?limit=1&cursor=${first.next_cursor}`);
    return [...first.data, ...second.data];
  }

  /** Runs something while the workspace is on another plan than business. */
  async onPlan<Value>(plan: 'starter' | 'team', run: () => Promise<Value>): Promise<Value> {
    await this.team('PATCH', '/workspace', { plan });
    try {
      return await run();
    } finally {
      await this.team('PATCH', '/workspace', { plan: 'business' });
    }
  }

  /** Creates a webhook endpoint on this machine that records its deliveries. */
  async webhook(events: string[], more: object = {}, key?: string): Promise<WebhookEndpoint> {
    return WebhookEndpoint.create(this, events, more, key);
  }

  /** Waits until a source is indexed or has failed. */
  async settledSource(agent: string, source: string): Promise<any> {
    return this.until(async () => {
      const read = await this.get(`/agents/${agent}/sources/${source}`);
      return ['indexed', 'failed'].includes(read.status) ? read : undefined;
    });
  }

  /** Signs an identity token as the server of a site. */
  async identityToken(secret: string, claims: object, alg = 'HS256'): Promise<string> {
    const exp = Math.floor((await this.now()) / 1000) + 3600;
    const bytes = new TextEncoder().encode(secret.padEnd(64, '.'));
    const key = alg === 'HS256' ? new TextEncoder().encode(secret) : bytes;
    return new SignJWT({ exp, ...claims }).setProtectedHeader({ alg }).sign(key);
  }

  identityHash(secret: string, userId: string): string {
    return createHmac('sha256', secret).update(userId).digest('hex');
  }
}

export interface ChatInit {
  key?: string;
  headers?: Record<string, string>;
  /** The id of the agent. */
  to?: string;
  conversation_id?: string;
  conversation_token?: string;
  [field: string]: unknown;
}

const parsed = async (response: Response): Promise<ParsedResponse<any>> => {
  const content = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  const body = isJson ? JSON.parse(content) : content === '' ? undefined : content;
  return { status: response.status, headers: response.headers, body, error: body?.error };
};
