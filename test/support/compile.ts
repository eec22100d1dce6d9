/**
 * Compiles test files of Node.js once for all processes of a run. A loader would start in each of them, and ask a thread for each of
 * hundreds of modules, which takes longer than most files take to run.
 */
import { rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The compiled tests and the databases of this run. Node.js finds the packages from here. */
export const runFolder = join(root, 'node_modules/.cache/workspace-chat', `tests-${process.pid}`);
process.once('exit', () => rmSync(runFolder, { recursive: true, force: true }));

/** Returns the path that a test file is compiled to. */
export const compiledPath = (file: string): string => join(runFolder, file.replace(/\.ts$/, '.js'));

/** Returns the test file that was compiled to a path. A location from a source map is one already. */
export const sourceOf = (path: string): string =>
  path.startsWith(runFolder) ? relative(runFolder, path).replace(/\.js$/, '.ts') : relative(root, path);

/** A module finds its files beside its source, not beside the compiled code. */
const sourceLocations = {
  name: 'source-locations',
  transform: (code: string, id: string) =>
    code.includes('import.meta.url')
      ? { code: code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)), map: null }
      : undefined,
};

export const compileTests = async (files: string[]): Promise<void> => {
  const bundle = await rolldown({
    input: Object.fromEntries(files.map((file) => [file.replace(/\.ts$/, ''), join(root, file)])),
    external: /^[^./]/,
    platform: 'node',
    // The list of files with side effects in package.json names those of the builds.
    treeshake: false,
    plugins: [sourceLocations],
  });
  await bundle.write({ dir: runFolder, format: 'esm', sourcemap: true, entryFileNames: '[name].js' });
  await bundle.close();
};
