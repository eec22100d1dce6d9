/** Calls any implementation of the API for the checks of the statements, with nothing but its public operations. */
import assert from 'node:assert/strict';
import { scopes } from '../../service/core/scopes.ts';
import { StatementContext, type CallInit, type KeyInit } from '../service/statements/context.ts';
import { LocalServer, type Route } from '../service/statements/local-server.ts';
import { MissingError } from '../service/statements/missing.ts';
import type { WebhookEndpoint } from '../service/statements/webhook-endpoint.ts';
import type { World } from '../service/statements/world.ts';
import type { Respond } from '../support/servers/listen.ts';

export interface Implementation {
  /** With the prefix of the version: `https://api.example/api/v2`. */
  baseUrl: string;
  /** A secret key with every scope. */
  key: string;
  /** A live agent of which the checks may change the knowledge and the actions. */
  agentId: string;
  pausedAgentId?: string | undefined;
  publishableKey?: string | undefined;
  /** Of the agent. */
  identitySecret?: string | undefined;
  /** The URL, without a path, at which the implementation reaches the receiver of webhooks on this machine. */
  receiverUrl?: string | undefined;
  clock: Clock;
}

export interface Clock {
  now(): number;
  wait(milliseconds: number): Promise<void>;
}

/** The checks of a real implementation share its limit of calls a minute. */
const maxRepetitions = 4;
const maxWait = 61;

class Receiver extends LocalServer {
  readonly #isReachable: boolean;

  constructor(publicUrl: string | undefined) {
    super(publicUrl);
    this.#isReachable = publicUrl !== undefined;
  }

  override route(path: string, respond: Respond): Route {
    if (!this.#isReachable) throw new MissingError('a receiver that the service can reach (--receiver-url)');
    return super.route(path, respond);
  }
}

/** What the visitors of the checks ask. */
const knowledge = {
  name: 'Conformance',
  items: [
    {
      question: 'When are you open?',
      answer: 'We are open **every day** from nine to five. On Fridays we open at two.',
    },
    { question: 'Where can I park?', answer: 'You can park **behind** the building.' },
  ],
};

export class ConformanceContext extends StatementContext {
  override readonly agentId: string;
  readonly #implementation: Implementation;
  readonly #prefix: string;
  readonly #run = Date.now().toString(36);
  readonly #endpoints = new Set<WebhookEndpoint>();
  #before = new Set<string>();

  constructor(implementation: Implementation) {
    const { origin, pathname } = new URL(implementation.baseUrl);
    const world = {} as World;
    const service = { origin, ownerKey: implementation.key, world, processes: 1 };
    super(service, new Receiver(implementation.receiverUrl));
    this.#implementation = implementation;
    this.#prefix = pathname.replace(/\/$/, '');
    this.agentId = implementation.agentId;
  }

  /** Gives the agent the knowledge that the checks ask for. */
  async prepare(): Promise<void> {
    this.#before = await this.#resources();
    const { status, body } = await this.call('POST', `/agents/${this.agentId}/sources/questions`, { body: knowledge });
    assert.equal(status, 201, `The questions of the checks cannot be imported: ${JSON.stringify(body)}`);
  }

  /** Deletes the webhooks that a check has left, because a workspace has at most ten. */
  async deleteWebhooks(): Promise<void> {
    for (const endpoint of this.#endpoints) await this.call('DELETE', `/webhooks/${endpoint.id}`);
    this.#endpoints.clear();
  }

  override async webhook(events: string[], more?: object): Promise<WebhookEndpoint> {
    const endpoint = await super.webhook(events, more);
    this.#endpoints.add(endpoint);
    return endpoint;
  }

  /** Deletes what the checks have added to the agent and the webhooks, so that the next run finds the agent as this one did. */
  async cleanUp(): Promise<void> {
    for (const path of await this.#resources()) if (!this.#before.has(path)) await this.call('DELETE', path);
  }

  /** The paths of the webhooks, and of the sources and actions of the agent. */
  async #resources(): Promise<Set<string>> {
    const paths = new Set<string>();
    for (const path of [`/agents/${this.agentId}/sources`, `/agents/${this.agentId}/actions`, '/webhooks']) {
      let cursor = '';
      do {
        const { data, next_cursor } = await this.get(`${path}?limit=100${cursor}`);
        for (const { id } of data) paths.add(`${path}/${id}`);
        cursor = next_cursor === null ? '' : `&cursor=${encodeURIComponent(next_cursor)}`;
      } while (cursor !== '');
    }
    return paths;
  }

  override get pausedAgentId(): string {
    const { pausedAgentId } = this.#implementation;
    if (pausedAgentId === undefined) throw new MissingError('a paused agent (--paused-agent)');
    return pausedAgentId;
  }

  override get world(): World {
    throw new MissingError('a prepared database (other workspaces, full months, faults)');
  }

  override get memberId(): string {
    throw new MissingError('the id of a member');
  }

  /** Sends a call again after the time that a rate limit of a minute names. */
  override async send(method: string, url: string, init: CallInit = {}): Promise<Response> {
    const path = url.startsWith('/api/v2/') ? this.#prefix + url.slice('/api/v2'.length) : url;
    for (let repetition = 0; ; repetition++) {
      const response = await super.send(method, path, init);
      const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
      if (response.status !== 429 || repetition === maxRepetitions) return response;
      if (seconds > maxWait) throw new MissingError('calls left in this hour');
      await response.body?.cancel();
      await this.#implementation.clock.wait((seconds + 1) * 1000);
    }
  }

  /** Different in each run, because the next run finds what this one has left. */
  override unique(prefix: string): string {
    return `${super.unique(prefix)}r${this.#run}`;
  }

  override async team(): Promise<never> {
    throw new MissingError('the dashboard side (/team)');
  }

  override async identitySecret(): Promise<string> {
    const { identitySecret } = this.#implementation;
    if (identitySecret === undefined) throw new MissingError('the identity secret of the agent (--identity-secret)');
    return identitySecret;
  }

  override async spareKey(): Promise<string> {
    return this.#implementation.key;
  }

  override async makeKey(init: KeyInit = {}): Promise<string> {
    return (await this.makeKeyWithId(init)).key;
  }

  /** Returns a key with at least the rights of the wanted one, unless the check wants the lack of a right. */
  override async makeKeyWithId({ kind = 'secret', scopes: granted = ['chat'], agentIds, expiresAt }: KeyInit = {}) {
    const isPlain = (agentIds ?? null) === null && (expiresAt ?? null) === null;
    const { key, publishableKey } = this.#implementation;
    if (kind === 'publishable' && isPlain && granted.includes('chat')) {
      if (publishableKey === undefined) throw new MissingError('a publishable key (--publishable-key)');
      return { id: '', key: publishableKey };
    }
    if (!isPlain || scopes.some((scope) => !granted.includes(scope)))
      throw new MissingError('other keys (fewer scopes, some agents)');
    return { id: '', key };
  }

  override async makeAgent(): Promise<never> {
    throw new MissingError('a second agent');
  }

  override async someAgent(): Promise<string> {
    return this.agentId;
  }

  override async now(): Promise<number> {
    return this.#implementation.clock.now();
  }

  override advance(): Promise<void> {
    return Promise.reject(new MissingError('a test clock'));
  }

  override moveTo(): Promise<void> {
    return this.advance();
  }
}
