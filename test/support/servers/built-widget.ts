/** Builds the widget for tests, and serves pages with it. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { listen } from './listen.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export interface Built {
  folder: string;
  remove(): Promise<void>;
}

/** Creates an empty temporary folder. */
export const makeFolder = async (): Promise<Built> => {
  const folder = await mkdtemp(join(tmpdir(), 'workspace-chat-'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
};

/** Builds the files for script tags into a new folder. `minify: false` makes files with other content and names. */
export const buildCdn = async ({ minify = true } = {}): Promise<Built> => {
  const { folder, remove } = await makeFolder();
  for (const mode of ['cdn', 'embed']) {
    await build({
      root,
      configFile: join(root, 'vite.config.ts'),
      mode,
      logLevel: 'error',
      build: { outDir: folder, ...(!minify && { minify, rolldownOptions: { output: { minify } } }) },
    });
  }
  return { folder, remove };
};

/** Returns the read-only build that all tests of a run share, or builds one when the run has none. */
export const sharedCdn = async (): Promise<Built> => {
  const { WIDGET_FOLDER: folder } = process.env;
  return folder ? { folder, remove: async () => {} } : buildCdn();
};

/** Adds the standalone script, or the webview's page with its script, to a folder. */
export const buildStandalone = async (folder: string, mode: 'standalone' | 'webview' = 'standalone'): Promise<void> => {
  await build({
    root,
    configFile: join(root, 'vite.config.ts'),
    mode,
    logLevel: 'error',
    build: { outDir: folder },
  });
};

const types: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
};

export interface PageServer {
  url: string;
  close(): Promise<void>;
}

/**
 * Serves `pages` by their paths, and the files of `folders` below the paths that name them.
 * @param headers Sent with every page.
 */
export const servePages = async (
  pages: Record<string, string>,
  folders: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<PageServer> => {
  return listen((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const reply = async () => {
      const page = pages[path];
      if (page !== undefined) return response.writeHead(200, { 'content-type': types['.html'], ...headers }).end(page);
      const prefix = Object.keys(folders).find((name) => path.startsWith(name));
      if (path === '/favicon.ico') return response.writeHead(204).end();
      if (!prefix) return response.writeHead(404).end();
      const body = await readFile(join(folders[prefix]!, path.slice(prefix.length)));
      const type = types[extname(path)] ?? 'text/plain';
      return response.writeHead(200, { 'content-type': type, 'access-control-allow-origin': '*' }).end(body);
    };
    reply().catch(() => response.writeHead(404).end());
  });
};
