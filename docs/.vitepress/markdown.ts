/** Changes how Markdown is rendered: live examples, tables that scroll by keyboard, and links to files of the repository. */
import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';
import { liveFenceOf } from '../site/live-fences.ts';
import { designPages } from '../site/pages.ts';

/** The part of VitePress's environment that is used. */
interface Environment {
  /** The path of the Markdown file. */
  path: string;
}

type Rules = MarkdownRenderer['renderer']['rules'];

const isArabic = ({ path }: Environment): boolean => /[\\/]ar[\\/][^\\/]+$/.test(path);

const liveExamples = (rules: Rules, folder: string): void => {
  const { fence } = rules;
  rules.fence = (tokens, index, options, environment, self) => {
    const { info = '', content = '' } = tokens.at(index) ?? {};
    const code = fence!(tokens, index, options, environment, self);
    const live = liveFenceOf(info);
    if (!live) return code;
    const preparation = readFileSync(resolve(folder, 'examples', `${live.name}.js`), 'utf8');
    const properties = Object.entries({ ...live, code: content, preparation })
      .map(([name, text]) => `${name}="${encodeURIComponent(text)}"`)
      .join(' ');
    return `<LiveExample ${properties}>${code}</LiveExample>\n`;
  };
};

/** A wide table scrolls in its own box, also by keyboard. */
const tables = (rules: Rules): void => {
  rules.table_open = (tokens, index, _options, environment: Environment) => {
    const number = tokens.slice(0, index + 1).filter(({ type }) => type === 'table_open').length;
    const label = `${isArabic(environment) ? 'جدول' : 'Table'} ${number}`;
    return `<div class="table" role="region" tabindex="0" aria-label="${label}"><table>\n`;
  };
  rules.table_close = () => '</table></div>\n';
  // An empty header cell becomes a data cell, because a header needs a name.
  rules.th_open = (tokens, index) => (tokens.at(index + 1)?.content === '' ? '<td>' : '<th scope="col">');
  rules.th_close = (tokens, index) => (tokens.at(index - 1)?.content === '' ? '</td>' : '</th>');
};

/** Returns a link that VitePress can follow, or null for a file of the repository outside of the docs. */
const siteLink = (href: string, file: string): string | null => {
  if (/^([a-z]+:|#|\/)/i.test(href)) return href;
  if (!file.startsWith('docs/')) return null;
  // The site has the README of a folder as its index.
  return href.replace(/\bREADME\.md(?=#|$)/, 'index.md');
};

/** Follows the files of the docs. The site does not contain the other files of the repository, so it names them instead. */
const repositoryLinks = (markdown: MarkdownRenderer, folder: string, base: string): void => {
  markdown.core.ruler.push('repository-links', ({ tokens, env, Token }) => {
    const environment = env as Environment;
    for (const children of tokens.flatMap((token) => (token.children ? [token.children] : []))) {
      const isFile: boolean[] = [];
      for (const [index, token] of children.entries()) {
        if (token.type === 'link_open') {
          const href = token.attrGet('href') ?? '';
          const path = resolve(dirname(environment.path), href.replace(/#.*/, ''));
          const file = relative(resolve(folder, '..'), path).replaceAll('\\', '/');
          const page = designPages[file];
          const link = page ? `${base}${page}` : siteLink(href, file);
          // It is not a page of VitePress, whose router leaves a link with a target alone.
          if (page) token.attrSet('target', '_self');
          isFile.push(link === null);
          if (link !== null) {
            token.attrSet('href', link);
            continue;
          }
          const opening = new Token('html_inline', '', 0);
          const title = `${isArabic(environment) ? 'في المستودع' : 'In the repository'}: ${file}`;
          opening.content = `<span class="file" title="${markdown.utils.escapeHtml(title)}">`;
          children[index] = opening;
        }
        if (token.type === 'link_close' && isFile.pop()) {
          const closing = new Token('html_inline', '', 0);
          closing.content = '</span>';
          children[index] = closing;
        }
      }
    }
  });
};

/** Vue would take two braces in a text or in code for an expression. */
const escapeBraces = (rules: Rules): void => {
  for (const name of ['text', 'code_inline'] as const) {
    const render = rules[name]!;
    rules[name] = (...parameters) => render(...parameters).replaceAll('{{', '&#123;&#123;');
  }
};

/**
 * @param folder The folder of the Markdown files.
 * @param base The path of the site.
 */
export const markdownRules =
  (folder: string, base: string) =>
  (markdown: MarkdownRenderer): void => {
    const { rules } = markdown.renderer;
    liveExamples(rules, folder);
    tables(rules);
    escapeBraces(rules);
    repositoryLinks(markdown, folder, base);
  };
