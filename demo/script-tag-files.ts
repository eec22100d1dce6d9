/** Builds the files for script tags, and serves them at `/cdn/` under the names that they have in a release. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Builds the files into a new folder, and returns it. */
const buildFiles = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'workspace-chat-demo-'));
  for (const mode of ['cdn', 'embed']) {
    await build({ root, configFile: join(root, 'vite.config.ts'), mode, logLevel: 'error', build: { outDir: folder } });
  }
  return folder;
};

/** Builds the files at the first request, since most visits of the demo need none. */
export const scriptTagFiles = (): Plugin => ({
  name: 'script-tag-files',
  configureServer(server) {
    let building: Promise<string> | null = null;
    /** Returns null when there is no such file. */
    const read = async (name: string): Promise<Buffer | null> => {
      building ??= buildFiles();
      const path = join(await building, name);
      return readFile(path).catch(() => null);
    };
    const respond = async ({ url }: IncomingMessage, response: ServerResponse): Promise<void> => {
      try {
        const file = await read(basename(new URL(url!, 'http://demo').pathname));
        if (file) response.setHeader('content-type', 'text/javascript; charset=utf-8').end(file);
        else response.writeHead(404).end();
      } catch (error) {
        response.writeHead(500).end(`The files for script tags could not be built: ${String(error)}`);
      }
    };
    server.middlewares.use('/cdn/', (request, response) => void respond(request, response));
    server.httpServer?.once('close', () => {
      void building?.then((folder) => rm(folder, { recursive: true, force: true })).catch(() => {});
    });
  },
});
