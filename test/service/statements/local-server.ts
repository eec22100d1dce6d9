/** A server on this machine for the requests of the service: webhook deliveries, action calls and spreadsheets. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterBody, type ReceivedRequest, type Respond } from '../../support/servers/listen.ts';

/** A path of the server, with the requests that it received. */
export interface Route {
  url: string;
  requests: ReceivedRequest[];
  respond: Respond;
}

export class LocalServer {
  readonly #publicUrl: string | undefined;
  readonly #routes = new Map<string, Route>();
  readonly #server = createServer(
    afterBody((response, request) => {
      const route = this.#routes.get(request.url.split('?')[0]!);
      if (!route) return void response.writeHead(404).end();
      route.requests.push(request);
      route.respond(response, request);
    }),
  );

  /** @param publicUrl The URL, without a path, under which other hosts reach the server. */
  constructor(publicUrl?: string) {
    this.#publicUrl = publicUrl;
  }

  listen(port = 0): Promise<void> {
    return new Promise((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
  }

  /** Without a host name, so that other names of this machine can be put before it. */
  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Adds a path, or replaces how it responds. */
  route(path: string, respond: Respond): Route {
    const url = `${this.#publicUrl ?? `http://127.0.0.1:${this.port}`}${path}`;
    const route: Route = this.#routes.get(path) ?? { url, requests: [], respond };
    route.respond = respond;
    this.#routes.set(path, route);
    return route;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
