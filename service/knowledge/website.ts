/** Reads a website as Markdown: its first page and the pages that it links to. */
import { Parser as HtmlParser } from 'htmlparser2';

/** Elements without content of the page itself. */
const ignoredElements = new Set(
  'script style template noscript svg nav header footer form iframe object select textarea'.split(' '),
);
const contentElements = new Set(['main', 'article']);
const blockElements = new Set(
  'p div section article main table tr ul ol h1 h2 h3 h4 h5 h6 dl dt dd blockquote pre hr'.split(' '),
);

export interface Page {
  title: string;
  /** Markdown. */
  text: string;
  /** The links to the same site, in their order, each once. */
  links: string[];
}

/** Collects the pieces of a text, where a line break or a heading may start. */
const createText = () => {
  const pieces: string[] = [];
  return {
    add: (piece: string) => pieces.push(piece),
    text: () =>
      pieces
        .join('')
        .split('\n')
        .map((line) => line.replace(/ {2,}/g, ' ').trim())
        .join('\n')
        .replace(/\n{3,}/g, '\n\n')
        .trim(),
  };
};

const markdownBefore = (name: string): string => {
  if (/^h[1-6]$/.test(name)) return `\n\n${'#'.repeat(Number(name[1]))} `;
  if (name === 'li') return '\n- ';
  if (name === 'br') return '\n';
  if (name === 'td' || name === 'th') return ' ';
  return blockElements.has(name) ? '\n\n' : '';
};

/** Reads a page. No script of the page runs, and none of its resources are fetched. */
export const readPage = (html: string, address: string): Page => {
  const [whole, content, title] = [createText(), createText(), createText()];
  const links = new Set<string>();
  let ignored = 0;
  let inContent = 0;
  let inTitle = 0;
  const add = (piece: string): void => {
    if (ignored > 0 || piece === '') return;
    whole.add(piece);
    if (inContent > 0) content.add(piece);
  };
  const parser = new HtmlParser({
    onopentag(name, attributes) {
      if (name === 'title') inTitle++;
      if (ignoredElements.has(name)) ignored++;
      if (contentElements.has(name)) inContent++;
      if (name === 'a') addLink(links, attributes['href'], address);
      add(markdownBefore(name));
    },
    ontext(text) {
      const plain = text.replace(/\s+/g, ' ');
      if (inTitle > 0) title.add(plain);
      else add(plain);
    },
    onclosetag(name) {
      if (blockElements.has(name)) add('\n\n');
      if (name === 'title') inTitle--;
      if (ignoredElements.has(name)) ignored--;
      if (contentElements.has(name)) inContent--;
    },
  });
  parser.end(html);
  return { title: title.text(), text: content.text() || whole.text(), links: [...links] };
};

const addLink = (links: Set<string>, href: string | undefined, address: string): void => {
  if (href === undefined || !URL.canParse(href.trim(), address)) return;
  const url = new URL(href.trim(), address);
  url.hash = '';
  if (url.origin === new URL(address).origin && url.href !== address) links.add(url.href);
};

/** Adds the title as a heading to a page that does not start with a heading. */
export const pageText = ({ title, text }: Pick<Page, 'title' | 'text'>): string => {
  return text === '' || title === '' || text.startsWith('#') ? text : `# ${title}\n\n${text}`;
};

/** @param read Returns the page at an address, or null when it is no page. Errors of the first page are thrown. */
export const readWebsite = async (
  address: string,
  maxPages: number,
  read: (address: string) => Promise<Page | null>,
): Promise<string> => {
  const first = await read(address);
  if (first === null) return '';
  const pages = [first];
  for (const link of first.links.slice(0, maxPages - 1)) {
    const page = await read(link).catch(() => null);
    if (page !== null) pages.push(page);
  }
  return pages.map(pageText).filter(Boolean).join('\n\n');
};
