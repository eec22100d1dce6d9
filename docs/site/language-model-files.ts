/** Creates `llms.txt` and `llms-full.txt`, for people who ask an assistant how to embed the chat (https://llmstxt.org). */
import { routeOf, summaryOf, titleOf, withoutFrontMatter, type PageGroup } from './pages.ts';

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
    pages.map((page) => `<!-- ${site}${routeOf(page)}.md -->\n\n${withoutFrontMatter(read(page)).trim()}\n`),
  );
  return {
    'llms.txt': [introduction, ...lists].join('\n'),
    'llms-full.txt': [introduction, ...texts].join('\n'),
  };
};
