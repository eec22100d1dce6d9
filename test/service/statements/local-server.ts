/** A server on this machine for the requests of the service: webhook deliveries, action calls and spreadsheets. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** Milliseconds since the epoch, in real time. */
  at: number;
}

export type Respond = (response: ServerResponse, request: ReceivedRequest) => void;

/** A path of the server, with the requests that it received. */
export interface Route {
  url: string;
  requests: ReceivedRequest[];
  respond: Respond;
}

export class LocalServer {
  readonly #publicUrl: string | undefined;
  readonly #routes = new Map<string, Route>();
  readonly #server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const received = { method, url, headers, body: Buffer.concat(pieces).toString('utf8'), at: Date.now() };
      const route = this.#routes.get(url.split('?')[0]!);
      if (!route) return void response.writeHead(404).end();
      route.requests.push(received);
      route.respond(response, received);
    });
  });

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
