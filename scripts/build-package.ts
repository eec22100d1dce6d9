/** A step of `npm run build`: writes the manifest and the data for editors. */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { cssData, htmlData, webTypes } from './editor-data.ts';
import { manifest } from './manifest.ts';

const pathOf = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

const write = (name: string, data: unknown): Promise<void> =>
  writeFile(pathOf(`dist/${name}`), `${JSON.stringify(data, null, 2)}\n`);

const { package: whole, element } = await manifest();
await write('custom-elements.json', whole);
await write('web-types.json', webTypes(whole));
await write('vscode.html-custom-data.json', htmlData(element));
await write('vscode.css-custom-data.json', cssData(element));

// What the entries for these frameworks export is types only. Importing them does nothing.
for (const name of ['preact', 'solid', 'svelte', 'vue']) await writeFile(pathOf(`dist/${name}.js`), 'export {};\n');
