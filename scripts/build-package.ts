/** A step of `npm run build`: writes the manifest and the data for editors, and copies the types for frameworks. */
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { cssData, htmlData } from './editor-data.ts';
import { manifest } from './manifest.ts';

const pathOf = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

const write = (name: string, data: unknown): Promise<void> =>
  writeFile(pathOf(`dist/${name}`), `${JSON.stringify(data, null, 2)}\n`);

const { package: whole, element } = await manifest();
await mkdir(pathOf('dist/types/src/entries'), { recursive: true });
await write('custom-elements.json', whole);
await write('vscode.html-custom-data.json', htmlData(element));
await write('vscode.css-custom-data.json', cssData(element));

// The compiler does not emit declaration files that are written by hand, so copy them.
for (const file of await readdir(pathOf('src/entries'))) {
  if (file.endsWith('.d.ts')) await cp(pathOf(`src/entries/${file}`), pathOf(`dist/types/src/entries/${file}`));
}
