/** Parses samples with the grammars of tree-sitter: `node parse.mjs <file> …`. Fails with the place of each syntax error. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Language, Parser } from 'web-tree-sitter';

const grammars = { swift: 'swift', kt: 'kotlin', dart: 'dart' };

/** @returns {import('web-tree-sitter').Node[]} The nodes that the grammar does not know, and those that it misses. */
const errorsIn = (node) => [
  ...(node.isError || node.isMissing ? [node] : []),
  ...node.children.flatMap((child) => (child ? errorsIn(child) : [])),
];

await Parser.init();
for (const file of process.argv.slice(2)) {
  const name = grammars[file.split('.').at(-1)];
  const grammar = import.meta.resolve(`tree-sitter-wasms/out/tree-sitter-${name}.wasm`);
  const parser = new Parser();
  parser.setLanguage(await Language.load(fileURLToPath(grammar)));
  const { rootNode } = parser.parse(readFileSync(file, 'utf8'));
  for (const { startPosition, text } of errorsIn(rootNode)) {
    console.error(`${file}:${startPosition.row + 1}: syntax error at “${text.slice(0, 40)}”`);
    process.exitCode = 1;
  }
}
