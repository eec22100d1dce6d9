/**
 * The files of a release. A step of `npm run build` copies the script-tag files into a folder whose name contains their hash, so that
 * they can be cached forever. It also writes the hashes of the files, and a snippet with which browsers check them.
 * `npm run release` adds a zip for people who upload the files themselves.
 */
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { strToU8, zipSync, type Zippable } from 'fflate';
import manifest from '../package.json' with { type: 'json' };

export interface Release {
  /** The name of the folder: the version, and a hash of all files. */
  name: string;
  /** The hashes by file name, in the format of `integrity`. */
  integrity: Record<string, string>;
  /** The HTML to paste into a page. */
  snippet: string;
}

const hash = (bytes: Buffer): string => `sha384-${createHash('sha384').update(bytes).digest('base64')}`;

const snippetOf = (url: string, name: string, integrity: Record<string, string>): string => {
  // The attribute of the script tag checks `embed.js`. The map checks the modules that it loads.
  const modules = Object.keys(integrity).filter((file) => !['embed.js', 'standalone.js', 'webview.js'].includes(file));
  const map = { integrity: Object.fromEntries(modules.map((file) => [`${url}/${name}/${file}`, integrity[file]])) };
  return `<!-- workspace-chat ${name}. The import map must come before the page's first module. -->
<script type="importmap">
${JSON.stringify(map, null, 2)}
</script>
<script>window.WorkspaceChat ??= (...a) => { (WorkspaceChat.q ??= []).push(a) }</script>
<script async src="${url}/${name}/embed.js" integrity="${integrity['embed.js']}" crossorigin="anonymous"
  data-base-url="https://api.example/api/v2" data-publishable-key="svc_pk_…" data-agent-id="agt_…"></script>
`;
};

/**
 * Creates the release of a build.
 * @param folder The folder of the built files.
 * @param url The URL at which the folder will be served, without a trailing slash.
 */
export const release = async (folder: string, url: string): Promise<Release> => {
  const entries = await readdir(folder, { recursive: true });
  // A folder whose name begins with a digit is an earlier release.
  const files = entries
    .map((entry) => entry.replaceAll(sep, '/'))
    .filter((file) => /^\D.*\.(js|js\.map|html)$/.test(file));
  const integrity: Record<string, string> = {};
  for (const file of files.filter((name) => name.endsWith('.js')).sort()) {
    integrity[file] = hash(await readFile(join(folder, file)));
  }
  const pages = await Promise.all(
    files.filter((name) => name.endsWith('.html')).map((page) => readFile(join(folder, page), 'utf8')),
  );
  const content = createHash('sha256')
    .update(JSON.stringify([integrity, pages]))
    .digest('hex')
    .slice(0, 8);
  const name = `${manifest.version}-${content}`;
  for (const file of files) {
    await mkdir(dirname(join(folder, name, file)), { recursive: true });
    await copyFile(join(folder, file), join(folder, name, file));
  }
  const snippet = snippetOf(url, name, integrity);
  await writeFile(join(folder, 'integrity.json'), `${JSON.stringify({ release: name, integrity }, null, 2)}\n`);
  await writeFile(join(folder, 'snippet.txt'), snippet);
  return { name, integrity, snippet };
};

/** The earliest time that a zip can hold is in 1980. */
const timeOf = (date: Date): Date =>
  // fflate writes local time. The same commit makes the same bytes in every time zone.
  new Date(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), date.getUTCHours(), date.getUTCMinutes());

const readme = (version: string): string => `workspace-chat ${version}: a chat for your website

1. Upload this folder to your website, for example as /workspace-chat/.
2. Open installer.html, here or on your website. It checks your values and writes your code.
3. Paste the code before </body> on every page. For plain HTML, it is like this:

   <script async src="/workspace-chat/embed.js" data-base-url="https://api.example/api/v2" data-publishable-key="svc_pk_..." data-agent-id="agt_..."></script>

Open theme-studio.html to choose colors and shapes; it writes the CSS. gallery.html shows every part of the chat.
If no chat appears, type WorkspaceChat('doctor') into the console. To update, upload the new folder over the old one. Open pages still load the old files: after a day, delete those that the new folder does not have.
`;

/** Source maps, and the snippet, which needs the address at which the files are served. */
const isLeftOut = (name: string): boolean => /\.map$|^snippet\.txt$/.test(name);

/**
 * Returns the bytes of the zip: a folder with a README, the pages, and the files for script tags. The same contents make the same
 * bytes.
 * @param files The files for script tags, by their paths in `dist/cdn`.
 * @param pages The installer, the theme studio and the gallery, by their file names.
 * @param date The time of all files.
 */
export const zipOf = (
  files: ReadonlyMap<string, Uint8Array>,
  { version, pages, date }: { version: string; pages: Readonly<Record<string, string>>; date: Date },
): Uint8Array => {
  const folder = `workspace-chat-${version}`;
  const contents: Zippable = {
    [`${folder}/README.txt`]: strToU8(readme(version).replaceAll('\n', '\r\n')),
    ...Object.fromEntries(Object.entries(pages).map(([name, html]) => [`${folder}/${name}`, strToU8(html)])),
  };
  for (const [name, bytes] of [...files].sort(([first], [second]) => (first < second ? -1 : 1))) {
    if (!isLeftOut(name)) contents[`${folder}/${name}`] = bytes;
  }
  return zipSync(contents, { level: 9, mtime: timeOf(date) });
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const url = (process.env['CDN_URL'] ?? 'https://cdn.example').replace(/\/+$/, '');
  const { name, snippet } = await release(fileURLToPath(new URL('../dist/cdn', import.meta.url)), url);
  console.log(
    `\ndist/cdn/${name} can be cached forever. Paste this snippet (also in dist/cdn/snippet.txt):\n\n${snippet}`,
  );
}
