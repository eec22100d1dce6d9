/** Types for the parts of the analyzer that scripts/manifest.ts uses and that its own types lack. */
declare module '@custom-elements-manifest/analyzer/index.js' {
  import type { Package } from 'custom-elements-manifest/schema';

  /** The TypeScript that is bundled with the analyzer. */
  export const ts: {
    ScriptTarget: { ES2022: number };
    createSourceFile(name: string, text: string, target: number, setParentNodes: boolean): unknown;
  };
  export function create(options: { modules: unknown[]; plugins: unknown[]; context: { dev: boolean } }): Package;
}

declare module '@custom-elements-manifest/analyzer/src/features/framework-plugins/lit/lit.js' {
  export function litPlugin(): unknown[];
}
