/** Serves the application on a port. */
import { serve } from '@hono/node-server';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basePath } from './core/version.ts';

export interface Listening {
  /** `http://127.0.0.1:PORT` */
  url: string;
  /** The URL with `/api/v2`. */
  baseUrl: string;
  close(): Promise<void>;
}

export const listen = (
  fetch: Parameters<typeof serve>[0]['fetch'],
  port: number,
  hostname: string,
): Promise<Listening> => {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch, port, hostname }) as Server;
    server.once('error', reject);
    server.once('listening', () => {
      const { port: chosen } = server.address() as AddressInfo;
      const host = hostname.includes(':') ? `[${hostname}]` : hostname;
      const url = `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${chosen}`;
      const close = () =>
        new Promise<void>((closed) => {
          server.close(() => closed());
          server.closeAllConnections();
        });
      resolve({ url, baseUrl: `${url}${basePath}`, close });
    });
  });
};
