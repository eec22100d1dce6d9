/** Serves the files of a folder over HTTP. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

/** @param basePath The path of the folder on the server. */
export const serveFolder = async (
  folder: string,
  basePath = '/',
): Promise<{ url: string; close: () => Promise<void> }> => {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://site');
    // Browsers request an icon for every page.
    if (pathname === '/favicon.ico') return void response.writeHead(204).end();
    if (!pathname.startsWith(basePath)) return void response.writeHead(404).end();
    const path = pathname.slice(basePath.length);
    const file = normalize(path === '' || path.endsWith('/') ? `${path}index.html` : path);
    readFile(join(folder, file)).then(
      (bytes) => response.writeHead(200, { 'content-type': types[extname(file)] ?? 'text/plain' }).end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${basePath}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
