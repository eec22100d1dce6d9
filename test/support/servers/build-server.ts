/** Builds other forms of the widget when the first test needs them, once for all workers of a run. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildCdn, buildStandalone, makeFolder, type Built } from './built-widget.ts';
import { bundleSsrClient } from './ssr-bundle.ts';

const inNewFolder = async (mode: 'standalone' | 'webview'): Promise<Built> => {
  const built = await makeFolder();
  await buildStandalone(built.folder, mode);
  return built;
};

const forms = {
  /** The widget in one file. */
  standalone: () => inNewFolder('standalone'),
  /** The page for webviews. */
  webview: () => inNewFolder('webview'),
  /** The modules for script tags, with other names and other content. */
  second: () => buildCdn({ minify: false }),
  /** The script of `test/e2e/ssr/`. */
  ssr: bundleSsrClient,
};

export type BuildForm = keyof typeof forms;

/** Starts the server in this process, and makes its address known to the workers. Returns a function that removes the builds. */
export const startBuildServer = async (): Promise<() => Promise<void>> => {
  const builds = new Map<string, Promise<Built>>();
  const server = createServer((request, response) => {
    const form = request.url!.slice(1) as BuildForm;
    const build = builds.get(form) ?? forms[form]();
    builds.set(form, build);
    build.then(
      ({ folder }) => response.end(folder),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.env['BUILD_SERVER'] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return async () => {
    server.close();
    for (const build of builds.values()) await build.then(({ remove }) => remove()).catch(() => {});
  };
};

/** Returns the folder of a build that all tests share. No test may change it. */
export const sharedBuild = async (form: BuildForm): Promise<string> => {
  const response = await fetch(`${process.env['BUILD_SERVER']}/${form}`);
  const text = await response.text();
  if (!response.ok) throw new Error(`The build of ${form} failed: ${text}`);
  return text;
};
