/** The parts of the analyzer that the manifest is made with; its own types leave them out. */
declare module '@custom-elements-manifest/analyzer/index.js' {
  import type { Package } from 'custom-elements-manifest/schema';

  /** The TypeScript that the analyzer brings along. */
  export const ts: {
    ScriptTarget: { ES2022: number };
    createSourceFile(name: string, text: string, target: number, setParentNodes: boolean): unknown;
  };
  export function create(options: { modules: unknown[]; plugins: unknown[]; context: { dev: boolean } }): Package;
}

declare module '@custom-elements-manifest/analyzer/src/features/framework-plugins/lit/lit.js' {
  export function litPlugin(): unknown[];
}
