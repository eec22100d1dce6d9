/** Serves the files for script tags at `/cdn/`, as a release does. */
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
    server.middlewares.use('/cdn/', (request, response, next) => {
      const name = basename(new URL(request.url!, 'http://demo').pathname);
      building ??= buildFiles();
      building
        .then((folder) => readFile(join(folder, name)))
        .then(
          (file) => response.setHeader('content-type', 'text/javascript; charset=utf-8').end(file),
          // The development server says that there is no such file.
          () => next(),
        );
    });
    server.httpServer?.once('close', () => {
      void building?.then((folder) => rm(folder, { recursive: true, force: true })).catch(() => {});
    });
  },
});
