/** A Vite plugin that serves the Markdown files of the docs below `/docs/` of the demo site, with their list as its first page. */
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Connect, Plugin } from 'vite';
import { pageGroups, titleOf } from '../docs/site/pages.ts';

const folder = new URL('../docs/', import.meta.url);
const pages = Object.values(pageGroups).flatMap((groups) => groups.flatMap((group) => group.pages));

/** The paths are known, so a request cannot name another file. */
const files = new Map(pages.map((page) => [`/${page}.md`, fileURLToPath(new URL(`${page}.md`, folder))]));

const listPage = async (): Promise<string> => {
  const items = await Promise.all(
    [...files].map(async ([path, file]) => {
      const title = titleOf(await readFile(file, 'utf8'));
      return `<li><a href=".${path}">${title || path.slice(1)}</a></li>`;
    }),
  );
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Docs · workspace-chat</title>
    <link rel="icon" href="data:," />
    <style>
      :root { color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif; }
      body { max-inline-size: 45rem; margin: auto; padding: 1.5rem; }
    </style>
  </head>
  <body>
    <main>
      <h1>Docs</h1>
      <p>
        Run <code>npm run docs</code> to read the docs as a site, with search and live examples. These are the same pages as
        Markdown:
      </p>
      <ul>${items.join('')}</ul>
      <p><a href="../">The demo shop</a></p>
    </main>
  </body>
</html>`;
};

/** Returns the page at a path below `/docs`, or null. */
const pageAt = async (path: string): Promise<{ type: string; text: string } | null> => {
  if (path === '/') return { type: 'text/html', text: await listPage() };
  const file = files.get(path);
  return file ? { type: 'text/plain', text: await readFile(file, 'utf8') } : null;
};

const respond = async (request: Connect.IncomingMessage, response: ServerResponse): Promise<void> => {
  const path = new URL(request.url ?? '/', 'http://site').pathname;
  // Relative links need the slash.
  const isWithoutSlash = path === '/' && !request.originalUrl?.startsWith('/docs/');
  if (isWithoutSlash) return void response.writeHead(302, { location: '/docs/' }).end();
  const page = await pageAt(path);
  if (!page) return void response.writeHead(404).end('There is no such page.');
  response.setHeader('content-type', `${page.type}; charset=utf-8`).end(page.text);
};

export const docs = (): Plugin => ({
  name: 'docs',
  configureServer(server) {
    server.middlewares.use('/docs', (request, response) => {
      respond(request, response).catch((error: unknown) => {
        response.writeHead(500).end(`The page could not be read: ${String(error)}`);
      });
    });
  },
});
