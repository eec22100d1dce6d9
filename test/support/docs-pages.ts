/** Reads the Markdown pages of the docs and of the repository. */
import { readdir, readFile } from 'node:fs/promises';

export interface MarkdownPage {
  /** The path from the root of the repository. */
  file: string;
  text: string;
}

const others = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'demo/frameworks/README.md'];

/** Returns the paths of the Markdown files below `docs/`, without the installed packages and the built site. */
export const docsFiles = async (): Promise<string[]> => {
  const files = await readdir('docs', { recursive: true });
  return files
    .map((file) => `docs/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.md') && !/node_modules|\.vitepress/.test(file))
    .sort();
};

/** Returns all pages with their texts. */
export const markdownPages = async (): Promise<MarkdownPage[]> =>
  Promise.all(
    [...others, ...(await docsFiles())].map(async (file) => ({
      file,
      // Windows may check out the files with other line ends.
      text: (await readFile(file, 'utf8')).replaceAll('\r\n', '\n'),
    })),
  );

/** Returns a page without its code. */
export const withoutCode = (text: string): string =>
  text.replaceAll(/^(`{3,}).*\n[\s\S]*?^\1$/gm, '').replaceAll(/`[^`\n]*`/g, '');
