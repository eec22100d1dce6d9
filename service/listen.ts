/** Serves the application on a port. */
import { getRequestListener } from '@hono/node-server';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { respondToProtocolErrors, errorResponse } from './protocol-errors.ts';
import { basePath } from './core/version.ts';
import { headersTimeoutMs, keepAliveMs, requestTimeoutMs } from './core/timeouts.ts';

export interface Listening {
  /** `http://127.0.0.1:PORT` */
  url: string;
  /** The URL with `/api/v2`. */
  baseUrl: string;
  close(): Promise<void>;
}

/** Connections that wait to be accepted. The default of Node.js, 511, delays others by a second or more. */
const backlog = 4096;

const serverOptions = {
  // Without a Host header, Node.js would respond itself, without the body of an error.
  requireHostHeader: false,
  keepAliveTimeout: keepAliveMs,
  headersTimeout: headersTimeoutMs,
  requestTimeout: requestTimeoutMs,
};

export const listen = (
  fetch: Parameters<typeof getRequestListener>[0],
  port: number,
  hostname: string,
): Promise<Listening> => {
  return new Promise((resolve, reject) => {
    const errorHandler = () => errorResponse('malformed_request');
    const server = createServer(serverOptions, getRequestListener(fetch, { errorHandler }));
    respondToProtocolErrors(server);
    server.once('error', reject);
    server.listen({ port, host: hostname, backlog });
    server.once('listening', () => {
      const { port: chosen } = server.address() as AddressInfo;
      const host = hostname.includes(':') ? `[${hostname}]` : hostname;
      const url = `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${chosen}`;
      resolve({
        url,
        baseUrl: `${url}${basePath}`,
        close: () => closeServer(server),
      });
    });
  });
};

/** Milliseconds that responses have to be sent after the service has closed. */
const graceMs = 1000;
const pollIntervalMs = 20;

/** Closes each connection when its response has been sent. */
const closeServer = (server: Server): Promise<void> => {
  return new Promise<void>((closed) => {
    const poll = setInterval(() => server.closeIdleConnections(), pollIntervalMs);
    const timer = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearInterval(poll);
      clearTimeout(timer);
      closed();
    });
  });
};
