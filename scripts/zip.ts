/** The zip for people who upload the files themselves: a folder with a README, the installer, and the files for script tags. */
import { strToU8, zipSync, type Zippable } from 'fflate';

/** The earliest time that a zip can hold is in 1980. */
const timeOf = (date: Date): Date =>
  // fflate writes local time. The same commit makes the same bytes in every time zone.
  new Date(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), date.getUTCHours(), date.getUTCMinutes());

const readme = (version: string): string => `workspace-chat ${version}: a chat for your website

1. Upload this folder to your website, for example as /workspace-chat/.
2. Open installer.html, here or on your website. It checks your values and writes your code.
3. Paste the code before </body> on every page. For plain HTML, it is like this:

   <script async src="/workspace-chat/embed.js" data-base-url="https://api.example/api/v2" data-publishable-key="svc_pk_..." data-agent-id="agt_..."></script>

If no chat appears, type WorkspaceChat('doctor') into the console of the browser. To update, replace the folder.
`;

/** Source maps, and what needs the address at which the files are served. */
const isLeftOut = (name: string): boolean => /\.map$|^integrity\.json$|^snippet\.txt$/.test(name);

/**
 * Returns the bytes of the zip. The same contents make the same bytes.
 * @param files The files for script tags, by their paths in `dist/cdn`, without the folder of the release.
 * @param date The time of all files.
 */
export const zipOf = (
  files: ReadonlyMap<string, Uint8Array>,
  { version, installer, date }: { version: string; installer: string; date: Date },
): Uint8Array => {
  const folder = `workspace-chat-${version}`;
  const contents: Zippable = {
    [`${folder}/README.txt`]: strToU8(readme(version).replaceAll('\n', '\r\n')),
    [`${folder}/installer.html`]: strToU8(installer),
  };
  for (const [name, bytes] of [...files].sort(([first], [second]) => (first < second ? -1 : 1))) {
    if (!isLeftOut(name)) contents[`${folder}/${name}`] = bytes;
  }
  return zipSync(contents, { level: 9, mtime: timeOf(date) });
};
