/** Serves the files of a folder over HTTP. */
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { listen, type Listening } from './listen.ts';

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

/** @param basePath The path of the folder on the server. */
export const serveFolder = async (folder: string, basePath = '/'): Promise<Pick<Listening, 'url' | 'close'>> => {
  const { url, close } = await listen((request, response) => {
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
  return { url: url + basePath, close };
};
