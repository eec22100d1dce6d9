/**
 * Checks the samples for apps as far as npm has the tools: the one for React Native by the types of its packages, those in Swift,
 * Kotlin and Dart by grammars. None of them is compiled for a device.
 */
import assert from 'node:assert/strict';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('webview-samples', import.meta.url));
const samples = fileURLToPath(new URL('../../demo/webview', import.meta.url));

/** Mistakes that the check must find, by the sample's ending. */
const mistakes: Record<string, [correct: string, wrong: string]> = {
  jsx: ['BackHandler.addEventListener', 'BackHandler.addListeners'],
  swift: ['{', '{ )'],
  kt: ['{', '{ )'],
  dart: ['{', '{ )'],
};

/**
 * @param folder An empty folder outside the repository.
 * @param run Runs a command in a folder, and rejects with its output when it fails.
 */
export const checkWebviewSamples = async (
  folder: string,
  run: (cwd: string, command: string, ...args: string[]) => Promise<string>,
): Promise<void> => {
  await cp(project, folder, { recursive: true, filter: (path) => !path.includes('node_modules') });
  await run(folder, 'npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund');
  const names = (await readdir(samples)).filter((name) => name.startsWith('chat-screen.'));
  assert.equal(names.length, Object.keys(mistakes).length);
  for (const name of names) await cp(join(samples, name), join(folder, name));
  await run(folder, 'npm', 'run', 'check');
  for (const name of names) {
    const [correct, wrong] = mistakes[name.split('.').at(-1)!]!;
    const source = await readFile(join(samples, name), 'utf8');
    assert(source.includes(correct), `${name} has no “${correct}”.`);
    await writeFile(join(folder, name), source.replace(correct, wrong));
    await assert.rejects(run(folder, 'npm', 'run', 'check'), new RegExp(name.replace('.', '\\.')));
    await writeFile(join(folder, name), source);
  }
};
