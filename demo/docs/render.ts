/** Renders a Markdown page of the docs as an HTML document. Raw HTML in the Markdown is shown as text. */
import MarkdownIt from 'markdown-it';
import type { DocsGroup, DocsPage } from './pages.ts';

interface Heading {
  id: string;
  text: string;
  level: number;
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Creates the same heading ids as GitHub, so that links to sections work on both sites. */
const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

/** Turns a link between files into a link between pages. Returns null for a file that the site does not show. */
const resolveLink = (href: string, groups: DocsGroup[]): string | null => {
  if (/^(https?:|mailto:|#)/.test(href)) return href;
  const [file = '', hash] = href.split('#');
  const anchor = hash ? `#${hash}` : '';
  if (file === '../README.md') return hash === 'the-element' ? 'api.html' : null;
  // A page of the demo beside the docs.
  const demo = /^\.\.\/demo\/([\w-]+\.html)$/.exec(file)?.[1];
  if (demo) return `../${demo}`;
  const name = /^([\w-]+)\.md$/.exec(file)?.[1];
  const page = groups.flatMap(({ pages }) => pages).find((each) => each.name === name);
  return page ? `${page.path || './'}${anchor}` : null;
};

const parse = ({ source }: DocsPage, groups: DocsGroup[]): { html: string; headings: Heading[] } => {
  const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
  const headings: Heading[] = [];
  const { rules } = markdown.renderer;
  const dropped: boolean[] = [];

  rules.heading_open = (tokens, index) => {
    const { tag } = tokens[index]!;
    const text = (tokens[index + 1]!.children ?? []).map(({ content }) => content).join('');
    const taken = headings.filter(({ id }) => id.replace(/-\d+$/, '') === slug(text)).length;
    const id = taken ? `${slug(text)}-${taken}` : slug(text);
    headings.push({ id, text, level: Number(tag.slice(1)) });
    return tag === 'h1' ? `<h1 id="${id}">` : `<${tag} id="${id}"><a class="anchor" href="#${id}">`;
  };
  rules.heading_close = (tokens, index) => {
    const { tag } = tokens[index]!;
    return tag === 'h1' ? '</h1>\n' : `</a></${tag}>\n`;
  };
  rules.link_open = (tokens, index) => {
    const href = `${tokens[index]!.attrGet('href') ?? ''}`;
    const address = resolveLink(href, groups);
    dropped.push(address === null);
    if (address === null)
      return `<span class="file" title="In the repository: ${escape(href.replace(/^(\.\.\/)+/, ''))}">`;
    return `<a href="${escape(address)}"${/^https?:/.test(address) ? ' rel="noopener"' : ''}>`;
  };
  rules.link_close = () => (dropped.pop() ? '</span>' : '</a>');
  const block = (content: string, info: string): string =>
    `<div class="code"><pre tabindex="0" dir="ltr"><code${info ? ` data-language="${escape(info)}"` : ''}>${escape(content)}</code></pre></div>\n`;
  rules.fence = (tokens, index) => block(tokens[index]!.content, tokens[index]!.info.trim());
  rules.code_block = (tokens, index) => block(tokens[index]!.content, '');
  // A wide table scrolls in its own box, also by keyboard.
  let tables = 0;
  rules.table_open = () => `<div class="table" role="region" tabindex="0" aria-label="Table ${++tables}"><table>\n`;
  rules.table_close = () => '</table></div>\n';
  // An empty header cell becomes a data cell, because a header needs a name.
  rules.th_open = (tokens, index) => (tokens[index + 1]!.content === '' ? '<td>' : '<th scope="col">');
  rules.th_close = (tokens, index) => (tokens[index - 1]!.content === '' ? '</td>' : '</th>');
  // The cells of the reference use `<br>` and no other tag.
  rules.text = (tokens, index) => escape(tokens[index]!.content).replaceAll('&lt;br&gt;', '<br>');
  return { html: markdown.render(source), headings };
};

const navigation = (groups: DocsGroup[], current: DocsPage): string =>
  groups
    .map(
      ({ title, pages }) => `<section><h2>${escape(title)}</h2><ul>
${pages
  .map(
    ({ name, path, title }) =>
      `<li><a href="${path || './'}"${name === current.name ? ' aria-current="page"' : ''}>${escape(name === 'README' ? 'Overview' : title)}</a></li>`,
  )
  .join('\n')}
</ul></section>`,
    )
    .join('\n');

const neighbours = (groups: DocsGroup[], current: DocsPage): string => {
  const all = groups.flatMap(({ pages }) => pages);
  const at = all.findIndex(({ name }) => name === current.name);
  const link = (page: DocsPage | undefined, label: string, side: string): string =>
    page ? `<a class="${side}" href="${page.path || './'}"><small>${label}</small>${escape(page.title)}</a>` : '';
  return `${link(all[at - 1], 'Previous', 'before')}${link(all[at + 1], 'Next', 'next')}`;
};

/** The demo's other pages. */
const places = [
  ['../', 'Shop'],
  ['../gallery.html', 'Gallery'],
  ['../theming.html', 'Theme studio'],
  ['../doctor.html', 'Installer'],
  ['../team.html', 'Team'],
  ['../webview.html', 'Webview'],
] as const;

export const renderPage = (page: DocsPage, groups: DocsGroup[]): string => {
  const { html, headings } = parse(page, groups);
  const contents = headings.filter(({ level }) => level === 2);
  const isHome = page.name === 'README';
  return `<!doctype html>
<html lang="en" dir="ltr">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${isHome ? 'Docs' : escape(page.title)} · workspace-chat</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="docs.css" />
    <script type="module" src="docs.ts"></script>
  </head>
  <body${isHome ? ' class="home"' : ''}>
    <a class="skip" href="#content">Skip to content</a>
    <header>
      <a class="brand" href="./"><span class="mark" aria-hidden="true"></span>workspace-chat</a>
      <nav aria-label="Demo">
        ${places.map(([href, title]) => `<a href="${href}">${title}</a>`).join('\n        ')}
      </nav>
      <button type="button" id="scheme">Dark</button>
    </header>
    <div class="columns">
      <nav class="pages" aria-label="Docs">
        <details open><summary>Contents</summary>
${navigation(groups, page)}
        </details>
      </nav>
      <main id="content" tabindex="-1">
        <article>
${html}
        </article>
        <nav class="neighbours" aria-label="Previous and next page">${neighbours(groups, page)}</nav>
      </main>
      ${
        contents.length > 2
          ? `<nav class="contents" aria-labelledby="on-this-page"><h2 id="on-this-page">On this page</h2><ul>
${contents.map(({ id, text }) => `<li><a href="#${id}">${escape(text)}</a></li>`).join('\n')}
</ul></nav>`
          : ''
      }
    </div>
  </body>
</html>
`;
};
