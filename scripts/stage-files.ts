/**
 * Puts each module that the stages import into the file of the stages. The bundler itself moves some of the modules that the
 * stages share with later chunks into further files, which costs a request each.
 */

import { fileURLToPath } from 'node:url';

/** The part of the bundler's module graph that is used. */
interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: string[] } | null;
}

/** Returns the modules that a module imports statically, directly or indirectly, and the module itself. */
const closure = (id: string, graph: ModuleGraph, found = new Set<string>()): Set<string> => {
  if (found.has(id)) return found;
  found.add(id);
  for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) closure(imported, graph, found);
  return found;
};

/**
 * Creates the function that names a module's file.
 * @param stages The entry modules in the order of loading. Each one loads the next on demand.
 */
const stageFiles = (stages: readonly { name: string; entries: readonly string[] }[]) => {
  let files: Map<string, string> | null = null;
  return (id: string, graph: ModuleGraph): string | null => {
    files ??= new Map(
      stages
        .toReversed()
        .flatMap(({ name, entries }) => entries.map((entry) => [name, entry] as const))
        .flatMap(([name, entry]) => [...closure(entry, graph)].map((module) => [module, name] as const)),
    );
    return files.get(id) ?? null;
  };
};

/**
 * Chromium compiles all functions of a file that begins with this comment ahead, in another thread. Nearly all functions of
 * these files run before the first reply.
 */
export const compileHint = ({ name }: { name: string }): string =>
  name === 'workspace-chat' || name === 'stages' ? '//# allFunctionsCalledOnLoad' : '';

const pathOf = (file: string): string => fileURLToPath(new URL(`../${file}`, import.meta.url));

/** The bundler's option for the script tag's modules. */
export const oneFilePerStage = {
  includeDependenciesRecursively: false,
  groups: [
    {
      name: stageFiles([
        { name: 'workspace-chat', entries: [pathOf('src/entries/cdn.ts')] },
        { name: 'stages', entries: [pathOf('src/workspace-chat/stages.ts')] },
      ]),
    },
  ],
};
