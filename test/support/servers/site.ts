/** Serves a page with the built widget, as a site with a script tag does. */
import { readFile } from 'node:fs/promises';
import { json } from 'node:stream/consumers';
import { basename, join } from 'node:path';
import { sharedCdn } from './built-widget.ts';
import { listen } from './listen.ts';

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
  const server = await listen((request, response) => {
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
  return {
    url: `${server.url}/`,
    async close() {
      await server.close();
      await remove();
    },
  };
};
