/** Builds other forms of the widget when the first test needs them, once for all workers of a run. */
import { buildCdn, buildStandalone, makeFolder, type Built } from './built-widget.ts';
import { bundleSsrClient } from './ssr-bundle.ts';
import { listen } from './listen.ts';

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
  const server = await listen((request, response) => {
    const form = request.url!.slice(1) as BuildForm;
    const build = builds.get(form) ?? forms[form]();
    builds.set(form, build);
    build.then(
      ({ folder }) => response.end(folder),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  process.env['BUILD_SERVER'] = server.url;
  return async () => {
    await server.close();
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
