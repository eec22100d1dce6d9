/** Reads a website as Markdown: its first page and the pages that it links to. */

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
/** Elements without content of the page itself. */
const ignoredElements =
  /<(script|style|template|noscript|svg|nav|header|footer|form)\b[\s\S]*?<\/\1\s*>|<!--[\s\S]*?-->/gi;

/** Returns the text of a page. No script of the page runs, and none of its resources are fetched. */
export const websiteText = (html: string): string => {
  const body =
    /<(main|article)\b[^>]*>([\s\S]*)<\/\1\s*>/i.exec(html)?.[2] ?? html.replace(/<head\b[\s\S]*?<\/head\s*>/i, '');
  const text = body
    .replace(ignoredElements, ' ')
    .replace(/\s+/g, ' ')
    .replace(/<h([1-6])\b[^>]*>/gi, (_tag, level: string) => `\n\n${'#'.repeat(Number(level))} `)
    .replace(/<li\b[^>]*>/gi, '\n- ')
    .replace(/<t[dh]\b[^>]*>/gi, ' ')
    .replace(/<br\b[^>]*>/gi, '\n')
    .replace(/<\/?(p|div|section|article|table|tr|ul|ol|h[1-6]|dl|dt|dd|blockquote)\b[^>]*>/gi, '\n\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (entity, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return entities[name.toLowerCase()] ?? entity;
      const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
    });
  return text
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
};

export const titleOf = (html: string): string => {
  return websiteText(/<title\b[^>]*>([\s\S]*?)<\/title/i.exec(html)?.[1] ?? '');
};

/** Returns the links of a page to the same site, in their order, each once. */
export const linksOf = (html: string, address: string): string[] => {
  const found = [...html.matchAll(/<a\b[^>]*?\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)].flatMap(([, double, single]) => {
    const href = (double ?? single ?? '').replaceAll('&amp;', '&').trim();
    if (!URL.canParse(href, address)) return [];
    const url = new URL(href, address);
    url.hash = '';
    return url.origin === new URL(address).origin ? [url.href] : [];
  });
  return [...new Set(found)].filter((href) => href !== address);
};

/** @param read Returns the HTML at an address, or null when it is no page. Errors of the first page are thrown. */
export const readWebsite = async (
  address: string,
  maxPages: number,
  read: (address: string) => Promise<string | null>,
): Promise<string> => {
  const first = await read(address);
  if (first === null) return '';
  const pages = [first];
  for (const link of linksOf(first, address).slice(0, maxPages - 1)) {
    const page = await read(link).catch(() => null);
    if (page !== null) pages.push(page);
  }
  return pages
    .map((page) => {
      const text = websiteText(page);
      return text === '' || text.startsWith('#') ? text : `# ${titleOf(page)}\n\n${text}`;
    })
    .filter(Boolean)
    .join('\n\n');
};
