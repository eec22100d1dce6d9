/** Serves a page with the built widget, as a site with a script tag does. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { basename, join } from 'node:path';
import { sharedCdn } from './built-widget.ts';

export interface Site {
  url: string;
  close(): Promise<void>;
}

/**
 * Serves `page` at every path, and the widget's files at `/a/…` and at `/b/…`, as if they were two versions.
 * @param onReport Receives the JSON that a page posts to `/report`.
 */
export const serveSite = async (page: () => string, onReport?: (value: unknown) => void): Promise<Site> => {
  const { folder, remove } = await sharedCdn();
  const server = createServer((request, response) => {
    const path = new URL(request.url!, 'http://site').pathname;
    if (path === '/report') {
      void json(request).then((value) => {
        response.end();
        onReport?.(value);
      });
      return;
    }
    if (!path.endsWith('.js')) {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(page());
      return;
    }
    response.setHeader('content-type', 'text/javascript; charset=utf-8');
    response.setHeader('access-control-allow-origin', '*');
    readFile(join(folder, basename(path))).then(
      (bytes) => response.end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
      await remove();
    },
  };
};
