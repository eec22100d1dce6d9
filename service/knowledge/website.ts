/** Reads a website as Markdown: its first page and the pages that it links to. */
import { Parser as HtmlParser } from 'htmlparser2';

/** Elements without content of the page itself. A form may be the whole page (ASP.NET), so only its controls are. */
const ignoredElements = new Set(
  'script style template noscript svg nav iframe object select datalist textarea'.split(' '),
);
const contentElements = new Set(['main', 'article']);
/** Elements of the site outside of its content. In an article they belong to it: a header contains its heading. */
const frameElements = new Set(['header', 'footer']);
const blockElements = new Set(
  'p div section article main header footer form table tr ul ol h1 h2 h3 h4 h5 h6 dl dt dd blockquote pre hr'.split(
    ' ',
  ),
);

export interface Page {
  /** The URL after redirects, without its fragment. */
  address: string;
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
  const hrefs: string[] = [];
  let base: string | undefined;
  /** Open elements. The parser closes each element that it opens, also without an end tag. */
  let depth = 0;
  /** The depth of the outermost ignored element, or 0. */
  let ignoredDepth = 0;
  let inContent = 0;
  let inForm = 0;
  let inTitle = 0;
  const isIgnored = (name: string, type: string | undefined): boolean => {
    if (frameElements.has(name)) return inContent === 0;
    // Other buttons may contain text of the page, like the question of an accordion.
    if (name === 'button') return inForm > 0 && type !== 'button';
    return ignoredElements.has(name);
  };
  const add = (piece: string): void => {
    if (ignoredDepth > 0 || piece === '') return;
    whole.add(piece);
    if (inContent > 0) content.add(piece);
  };
  const parser = new HtmlParser({
    onopentag(name, attributes) {
      depth++;
      if (ignoredDepth === 0 && isIgnored(name, attributes['type'])) ignoredDepth = depth;
      if (name === 'title') inTitle++;
      if (name === 'form') inForm++;
      if (contentElements.has(name)) inContent++;
      if (name === 'base') base ??= attributes['href'];
      if (name === 'a' && attributes['href'] !== undefined) hrefs.push(attributes['href']);
      add(markdownBefore(name));
    },
    ontext(text) {
      if (ignoredDepth > 0) return;
      const plain = text.replace(/\s+/g, ' ');
      if (inTitle > 0) title.add(plain);
      else add(plain);
    },
    onclosetag(name) {
      if (blockElements.has(name)) add('\n\n');
      if (name === 'title') inTitle--;
      if (name === 'form') inForm--;
      if (contentElements.has(name)) inContent--;
      if (ignoredDepth === depth) ignoredDepth = 0;
      depth--;
    },
  });
  parser.end(html);
  return {
    address,
    title: title.text(),
    text: content.text() || whole.text(),
    links: linksWithin(address, base ?? '', hrefs),
  };
};

/** @param base The `href` of the page's `base` element, which relative links start from. */
const linksWithin = (address: string, base: string, hrefs: string[]): string[] => {
  const { origin } = new URL(address);
  const start = URL.canParse(base, address) ? new URL(base, address).href : address;
  const links = hrefs.flatMap((href) => {
    if (!URL.canParse(href, start)) return [];
    const url = new URL(href, start);
    url.hash = '';
    return url.origin === origin && url.href !== address ? [url.href] : [];
  });
  return [...new Set(links)];
};

/** Adds the title as a heading to a page that does not start with a heading. */
export const pageText = ({ title, text }: Pick<Page, 'title' | 'text'>): string => {
  return text === '' || title === '' || text.startsWith('#') ? text : `# ${title}\n\n${text}`;
};

/**
 * Reads the first page and the pages of its origin that it links to. A page that redirects to another origin belongs to
 * another site and is left out.
 * @param read Returns the page at an address, or null when it is no page. Errors of the first page are thrown.
 */
export const readWebsite = async (
  address: string,
  maxPages: number,
  read: (address: string) => Promise<Page | null>,
): Promise<string> => {
  const first = await read(address);
  if (first === null) return '';
  const { origin } = new URL(first.address);
  const pages = new Map([[first.address, first]]);
  for (const link of first.links.filter((link) => link !== address).slice(0, maxPages - 1)) {
    if (pages.has(link)) continue;
    const page = await read(link).catch(() => null);
    if (page !== null && new URL(page.address).origin === origin) pages.set(page.address, page);
  }
  return [...pages.values()].map(pageText).filter(Boolean).join('\n\n');
};
