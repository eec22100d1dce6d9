/**
 * A Vite plugin for builds of one classic script: it replaces each `import()` of a source file with a static import.
 * The bundler itself would create namespace objects with a `for…in` loop, which fails on pages that add enumerable
 * properties to `Object.prototype`.
 */
import { MagicString } from 'magic-string';
import type { Plugin } from 'vite';

interface ImportExpression {
  type: string;
  start: number;
  end: number;
  source: { type: string; value?: unknown };
}

/** Finds the `import()` expressions of a parsed module. */
const findImports = (node: unknown, found: ImportExpression[] = []): ImportExpression[] => {
  if (typeof node !== 'object' || node === null) return found;
  const expression = node as ImportExpression;
  // An address that is computed is not known here.
  if (expression.type === 'ImportExpression' && typeof expression.source.value === 'string') found.push(expression);
  for (const child of Object.values(node)) findImports(child, found);
  return found;
};

export const inlineDynamicImports = (): Plugin => ({
  name: 'inline-dynamic-imports',
  apply: 'build',
  enforce: 'post',
  transform: {
    filter: { id: /\/src\/.*\.ts$/ },
    async handler(code, id) {
      const imports = findImports(this.parse(code));
      if (imports.length === 0) return null;
      const result = new MagicString(code);
      for (const [index, { start, end, source }] of imports.entries()) {
        if (!String(source.value).startsWith('.'))
          throw new Error(`${id} imports a package. Import a file that exports it.`);
        const resolved = await this.resolve(String(source.value), id);
        if (!resolved) throw new Error(`${id} imports ${String(source.value)}, which does not exist.`);
        const { exports } = await this.load({ id: resolved.id });
        const names = (exports ?? []).map((name) => ({ name, local: `inlined${index}_${name}` }));
        const specifiers = names.map(({ name, local }) => `${name} as ${local}`).join(', ');
        result.prepend(`import { ${specifiers} } from ${JSON.stringify(source.value)};\n`);
        const object = names.map(({ name, local }) => `${name}: ${local}`).join(', ');
        result.update(start, end, `Promise.resolve({ ${object} })`);
      }
      return { code: result.toString(), map: result.generateMap({ hires: true }) };
    },
  },
});
