/** A webhook endpoint on this machine that records what it receives. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { ParsedResponse } from '../support.ts';
import type { ReceivedRequest, Respond } from '../../support/servers/listen.ts';
import type { LocalServer, Route } from './local-server.ts';

export interface Delivery {
  headers: IncomingHttpHeaders;
  raw: string;
  event: { id: string; type: string; created_at: string; workspace_id: string; agent_id: string | null; data: any };
}

/** The calls of the context that an endpoint makes. */
interface Calls {
  server: LocalServer;
  unique(prefix: string): string;
  call(method: string, path: string, init: { key?: string; body?: unknown }): Promise<ParsedResponse<any>>;
  get(path: string, init: { key?: string }): Promise<any>;
  team(method: string, path: string, body?: object, key?: string): Promise<any>;
  until<Value>(read: () => Promise<Value | undefined | false> | Value | undefined | false): Promise<Value>;
}

const ok: Respond = (response) => response.writeHead(204).end();

export class WebhookEndpoint {
  /** The endpoint as its creation returned it. */
  readonly created: any;
  readonly #context: Calls;
  /** The key of another workspace, or undefined. */
  readonly #key: string | undefined;
  readonly #route: Route;

  private constructor(context: Calls, key: string | undefined, route: Route, created: any) {
    this.#context = context;
    this.#key = key;
    this.#route = route;
    this.created = created;
  }

  static async create(context: Calls, events: string[], more: object, key?: string): Promise<WebhookEndpoint> {
    const route = context.server.route(`/${context.unique('hook')}`, ok);
    const body = { url: route.url, events, ...more };
    const { status, body: created } = await context.call('POST', '/webhooks', { body, ...withKey(key) });
    assert.equal(status, 201, JSON.stringify(created));
    return new WebhookEndpoint(context, key, route, created);
  }

  get id(): string {
    return this.created.id;
  }

  get deliveries(): Delivery[] {
    return this.#route.requests.map(parsedDelivery);
  }

  respondWith(respond: Respond): void {
    this.#route.respond = respond;
  }

  ofType(type: string): Delivery[] {
    return this.deliveries.filter(({ event }) => event.type === type);
  }

  /** Waits for a delivery of an event of this type that fulfills the condition. */
  next(type: string, isWanted: (data: any) => boolean = () => true): Promise<Delivery> {
    return this.#context.until(() => this.ofType(type).find(({ event }) => isWanted(event.data)));
  }

  /** Waits for a number of deliveries. */
  async count(wanted: number): Promise<Delivery[]> {
    return this.#context.until(() => this.deliveries.length >= wanted && this.deliveries);
  }

  /** The log of the dashboard, newest first. */
  async log(): Promise<any[]> {
    return (await this.#context.team('GET', `/webhooks/${this.id}/deliveries`, undefined, this.#key)).data;
  }

  /** The endpoint as the list shows it now. */
  async read(): Promise<any> {
    const { data } = await this.#context.get('/webhooks?limit=100', withKey(this.#key));
    return data.find(({ id }: any) => id === this.id);
  }

  async remove(): Promise<void> {
    const { status } = await this.#context.call('DELETE', `/webhooks/${this.id}`, withKey(this.#key));
    assert.equal(status, 204);
  }

  /** Whether a delivery has the signature that its receiver computes with the endpoint's secret. */
  isSigned({ headers, raw }: Delivery): boolean {
    const given = String(headers['x-service-signature']);
    const at = /^t=(\d+),v1=[0-9a-f]{64}$/.exec(given)?.[1];
    return given === `t=${at},v1=${createHmac('sha256', this.created.secret).update(`${at}.${raw}`).digest('hex')}`;
  }
}

const withKey = (key: string | undefined) => (key === undefined ? {} : { key });

const parsedDelivery = ({ headers, body }: ReceivedRequest): Delivery => ({
  headers,
  raw: body,
  event: JSON.parse(body),
});
