/** A page with the built widget, as a site with a script tag would serve it: the least there can be around it. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** Builds the script-tag modules into a folder of their own. */
export const buildWidget = async (): Promise<{ folder: string; remove: () => Promise<void> }> => {
  const folder = await mkdtemp(join(tmpdir(), 'workspace-chat-'));
  await build({
    root: fileURLToPath(new URL('../..', import.meta.url)),
    mode: 'cdn',
    logLevel: 'warn',
    build: { outDir: folder },
  });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
};

export interface Site {
  url: string;
  close(): Promise<void>;
}

/**
 * Serves `page` at every path, and the widget's modules at `/a/…` and, as if it were another version, at `/b/…`.
 * @param onReport Given the JSON that a page posts to `/report`.
 */
export const serveSite = async (page: () => string, onReport?: (value: unknown) => void): Promise<Site> => {
  const { WIDGET_FOLDER: built } = process.env;
  const own = built ? null : await buildWidget();
  const folder = built ?? own!.folder;
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
      await own?.remove();
    },
  };
};
