/** Lists the pages of the docs in order: the Markdown files of `docs/`, and the reference, which is generated. */
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { manifest } from '../../scripts/manifest.ts';
import { referenceOf } from './reference.ts';

export interface DocsPage {
  /** The name of the Markdown file without its extension. `README` is the first page. */
  name: string;
  /** The path below `docs/`. */
  path: string;
  /** The first heading. */
  title: string;
  source: string;
}

export interface DocsGroup {
  title: string;
  pages: DocsPage[];
}

const order: Record<string, string[]> = {
  'Get started': ['README', 'start-site-owner', 'start-app-developer', 'start-designer'],
  'On the page': ['script-tag', 'frameworks', 'api', 'client', 'testing', 'webview'],
  'Make it yours': ['theming', 'blocks', 'client-tools', 'identity', 'host'],
  'Trust it': ['security', 'accessibility', 'faults', 'troubleshooting'],
  'Behind it': ['architecture', 'why', 'figures', 'service', 'interpretations', 'releasing'],
};

const folder = new URL('../../docs/', import.meta.url);

/** The path of the Markdown files. */
export const docsFolder = fileURLToPath(folder);

const titleOf = (source: string): string => /^# (.+)$/m.exec(source)?.[1]?.replaceAll('`', '') ?? '';

/** Reads the files each time, so that changes are visible at once. */
export const readPages = async (): Promise<DocsGroup[]> => {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.md'));
  const sources = new Map<string, string>([['api', referenceOf(await manifest())]]);
  for (const file of files) sources.set(file.slice(0, -'.md'.length), await readFile(new URL(file, folder), 'utf8'));
  const named = new Set(Object.values(order).flat());
  const groups = { ...order, More: [...sources.keys()].filter((name) => !named.has(name)).sort() };
  return Object.entries(groups)
    .map(([title, names]) => ({
      title,
      pages: names.flatMap((name) => {
        const source = sources.get(name);
        if (source === undefined) return [];
        return { name, path: name === 'README' ? '' : `${name}.html`, title: titleOf(source), source };
      }),
    }))
    .filter(({ pages }) => pages.length > 0);
};
