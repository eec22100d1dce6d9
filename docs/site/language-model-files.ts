/** Creates `llms.txt`, `llms-full.txt` and the pages as Markdown, for people who ask an assistant how to embed the chat (https://llmstxt.org). */
import { designPages, routeOf, summaryOf, titleOf, withoutFrontMatter, type PageGroup } from './pages.ts';

const introduction = `# workspace-chat

> <workspace-chat> is an embeddable chat widget for the Workspace Assistant API v2: one web component in English and Arabic.

To add it to a page, upload the folder of \`workspace-chat-<version>.zip\` of a release, open its \`installer.html\`, and paste the code that it
writes. For plain HTML, it is this tag with your own values:

\`\`\`html
<script
  async
  src="https://cdn.example/embed.js"
  data-base-url="https://api.example/api/v2"
  data-publishable-key="svc_pk_…"
  data-agent-id="agt_…"
></script>
\`\`\`

- Use a publishable key (\`svc_pk_…\`). The widget rejects a secret key (\`svc_sk_…\`) and a website key (\`pk_…\`).
- Add the origin of the site to the allowed origins of the agent.
- If the chat does not appear or does not reply, run \`WorkspaceChat('doctor')\` in the console of the page.
- Use only names that the API reference lists.
`;

/** A block of code, or a link: its start with the text, and its target. */
const codeOrLink = /^(```+)[^]*?^\1|(!?\[[^\]]*\])\(([^)\s]+)\)/gm;

/**
 * Returns the text of a page as it is read away from the site: its links are absolute, and a file that the site does not have is
 * named by its path in the repository.
 */
export const textOf = (page: string, markdown: string, site: string): string =>
  withoutFrontMatter(markdown).replace(codeOrLink, (whole, _fence, text?: string, target = '') => {
    if (!text || /^[a-z]+:/i.test(target)) return whole;
    const { pathname, hash } = new URL(target, `file:///docs/${page}.md`);
    const file = pathname.slice(1);
    if (!file.startsWith('docs/') && !designPages[file]) return `${text.replace(/^!?\[|\]$/g, '')} (\`${file}\`)`;
    const path = designPages[file] ?? file.replace('docs/', '').replace(/\bREADME\.md$/, 'index.md');
    return `${text}(${site}${path}${hash})`;
  });

/**
 * @param read Returns the Markdown text of a page.
 * @param site The address of the site, or the path of its root, with a slash at the end: a list is read away from its site.
 */
export const languageModelFiles = (
  groups: readonly PageGroup[],
  read: (page: string) => string,
  site: string,
): Record<'llms.txt' | 'llms-full.txt', string> => {
  const named = groups.map(({ title, pages }) => ({ title, pages: pages.filter((page) => page !== 'changelog') }));
  const lists = named.map(
    ({ title, pages }) =>
      `## ${title}\n\n${pages
        .map((page) => `- [${titleOf(read(page))}](${site}${routeOf(page)}.md): ${summaryOf(read(page))}`)
        .join('\n')}\n`,
  );
  const texts = named.flatMap(({ pages }) =>
    pages.map((page) => `<!-- ${site}${routeOf(page)}.md -->\n\n${textOf(page, read(page), site).trim()}\n`),
  );
  return {
    'llms.txt': [introduction, ...lists].join('\n'),
    'llms-full.txt': [introduction, ...texts].join('\n'),
  };
};
