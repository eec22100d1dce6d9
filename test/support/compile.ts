/**
 * Compiles test files once for all processes and pages of a run. A loader would start in each process, and ask a thread for each of
 * hundreds of modules, which takes longer than most files take to run.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown, type InputOptions, type Plugin } from 'rolldown';
import { timeFactor } from './time-limits.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const cache = join(root, 'node_modules/.cache/workspace-chat');
const prefix = 'tests-';

const remove = (folder: string) => rmSync(folder, { recursive: true, force: true });

const makeRunFolder = (): string => {
  const folder = join(cache, `${prefix}${process.pid}`);
  process.once('exit', () => remove(folder));
  return folder;
};

/** The compiled tests and the databases of this run. The first process of the run makes it and removes it. */
export const runFolder = process.env['TEST_FOLDER'] ?? makeRunFolder();

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Removes the folders of runs that were killed. */
const removeOldFolders = (): void => {
  for (const name of existsSync(cache) ? readdirSync(cache) : []) {
    if (name.startsWith(prefix) && !isAlive(Number(name.slice(prefix.length)))) remove(join(cache, name));
  }
};

/** Returns the path that a test file is compiled to. */
export const compiledPath = (file: string): string => join(runFolder, file.replace(/\.ts$/, '.js'));

/**
 * A module finds its files beside its source, not beside the compiled code.
 * @param urlOf Returns the expression for the URL of a module.
 */
const sourceLocations = (urlOf: (id: string) => string): Plugin => ({
  name: 'source-locations',
  transform: (code, id) =>
    code.includes('import.meta.url') ? { code: code.replaceAll('import.meta.url', urlOf(id)), map: null } : undefined,
});

const compile = async (files: string[], { plugins, ...options }: InputOptions): Promise<void> => {
  removeOldFolders();
  const bundle = await rolldown({
    input: Object.fromEntries(files.map((file) => [file.replace(/\.ts$/, ''), join(root, file)])),
    // The list of files with side effects in package.json names those of the builds.
    treeshake: false,
    plugins,
    ...options,
  });
  await bundle.write({ dir: runFolder, format: 'esm', sourcemap: true, entryFileNames: '[name].js' });
  await bundle.close();
};

/** The modules of the processes that run the tests. */
const ownModules = ['test/support/test-process.ts', 'test/support/test-reporter.ts'];

/** Compiles tests of Node.js, which finds the packages from the folder. */
export const compileTests = (files: string[]): Promise<void> =>
  compile([...files, ...ownModules], {
    // The service is a package of TypeScript, which Node.js does not load.
    external: (id) => /^[^./]/.test(id) && !id.startsWith('@workspace-chat/service'),
    platform: 'node',
    plugins: [sourceLocations((id) => JSON.stringify(pathToFileURL(id).href))],
  });

/** Compiles tests of browsers with their packages. A page would request each of hundreds of modules. */
export const compileBrowserTests = (files: string[]): Promise<void> =>
  compile(files, {
    platform: 'browser',
    transform: { define: { timeFactor: String(timeFactor) } },
    resolve: { conditionNames: ['development', 'browser', 'import', 'default'] },
    plugins: [sourceLocations((id) => `new URL(${JSON.stringify(`/${relative(root, id)}`)}, location.origin).href`)],
  });
