/** The public lists of payloads: where each is, and the hash of the version that is used. None is part of this repository. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface List {
  name: string;
  /** The repository and the path of the file, at the commit that is used. */
  repository: string;
  commit: string;
  path: string;
  /** Its license, as the table states it. */
  license: string;
  sha256: string;
  parse(text: string): string[];
}

const linesOf = (text: string): string[] => text.split(/\r?\n/);

export const lists: readonly List[] = [
  {
    name: 'xss-payload-list.txt',
    repository: 'payloadbox/xss-payload-list',
    commit: 'd473925ebc9aaec0ac8bdb9aa9d26be8d163af04',
    path: 'Intruder/xss-payload-list.txt',
    license: 'MIT License',
    sha256: 'c92fadca6ef0d6eefd7343aafaf128e94b6722d2ff5e57614e0aa00e290811a6',
    parse: linesOf,
  },
  {
    name: 'blns.json',
    repository: 'minimaxir/big-list-of-naughty-strings',
    commit: 'db33ec7b1d5d9616a88c76394b7d0897bd0b97eb',
    path: 'blns.json',
    license: 'MIT License',
    sha256: 'b5edb4dffb234fa8b37c6353ec2cbd414ce721a03968d26343a7c276ab360f63',
    parse: (text) => JSON.parse(text) as string[],
  },
  {
    name: 'Markdown-XSS-Payloads.txt',
    repository: 'cujanovic/Markdown-XSS-Payloads',
    commit: 'b209f6925bc4b377c522bc7bde880199d4b126ac',
    path: 'Markdown-XSS-Payloads.txt',
    license: 'no license stated',
    sha256: '28f7307cd15df11c52198bdf4781a1ac9e8273d84bb88f94217962f6b2d54e8b',
    parse: linesOf,
  },
];

/** Returns the address at which people read a list. */
export const pageOf = ({ repository, commit, path }: List): string =>
  `https://github.com/${repository}/blob/${commit}/${path}`;

/** Where the lists are kept. To use files that you have, set `HOSTILE_LISTS` to their folder. */
const folder =
  process.env['HOSTILE_LISTS'] ?? fileURLToPath(new URL('../../node_modules/.cache/hostile-lists', import.meta.url));

const download = async ({ repository, commit, path }: List, file: string): Promise<string> => {
  const response = await fetch(`https://raw.githubusercontent.com/${repository}/${commit}/${path}`);
  if (!response.ok) throw new Error(`status ${response.status}`);
  const text = await response.text();
  await mkdir(folder, { recursive: true });
  await writeFile(file, text);
  return text;
};

/**
 * Returns the payloads of a list.
 * @throws {Error} When the list cannot be fetched, or is not the version that is named here. The message says what to do.
 */
export const loadList = async (list: List): Promise<string[]> => {
  const file = join(folder, list.name);
  const text = await readFile(file, 'utf8').catch(() =>
    download(list, file).catch((error: unknown) => {
      throw new Error(`${pageOf(list)} cannot be fetched. Download it, and put it into ${folder}.`, { cause: error });
    }),
  );
  const hash = createHash('sha256').update(text).digest('hex');
  if (hash !== list.sha256)
    throw new Error(`${file} has the hash ${hash}. Delete it: its hash must be ${list.sha256}.`);
  return list.parse(text);
};
