/** Addresses that are links by themselves: in angle brackets, and GFM's bare URLs, www. hosts and e-mail addresses. */
import { matchAt } from './links.ts';
import type { Inline, Link } from './syntax-tree.ts';

const LABEL = '[a-z\\d](?:[a-z\\d-]{0,61}[a-z\\d])?';
const ANGLE = new RegExp(
  `<(?:([a-z][a-z\\d+.-]{1,31}:[^\\s<>\\0-\\x20]*)|([\\w.!#$%&'*+/=?^\`{|}~-]+@${LABEL}(?:\\.${LABEL})*))>`,
  'iy',
);

/** The link in angle brackets at `position`. */
export function angleLink(text: string, position: number): { link: Link; end: number } | null {
  const match = matchAt(ANGLE, text, position);
  if (!match) return null;
  const address = (match[1] ?? match[2])!;
  const url = match[1] ? address : `mailto:${address}`;
  return { link: { type: 'link', url, children: [address] }, end: ANGLE.lastIndex };
}

const SCHEME = /(?<![^\s*_~(])(?:https?:\/\/|www\.)/gi;

/** Where in `text` a bare URL may begin, or -1; `before` is the character in front of the text. */
export function bareUrlStart(text: string, before: string): number {
  SCHEME.lastIndex = /[^\s*_~(]/.test(before) ? 1 : 0;
  return SCHEME.exec(text)?.index ?? -1;
}

const BARE_URL = /(?:https?:\/\/|(www\.))((?:[\p{L}\p{N}_-]+\.)*[\p{L}\p{N}_-]+)(?:[:/?#][^\s<]*)?/iuy;
// Punctuation of other scripts ends a sentence after a URL as well.
const TRAILING = '?!.,:*_~\'"؟،؛。，、！？：；»”’';

/** Leaves out punctuation, unbalanced parentheses and a character reference at the end of a URL. */
function trimUrl(url: string): string {
  let extra = 0;
  for (const character of url) extra += character === ')' ? 1 : character === '(' ? -1 : 0;
  let end = url.length;
  for (;;) {
    const last = url[end - 1]!;
    if (last === ')' && extra > 0) extra--;
    else if (last === ';') {
      const start = url.lastIndexOf('&', end);
      if (start < 0 || !/^&\w+;$/.test(url.slice(start, end))) return url.slice(0, end);
      end = start + 1;
    } else if (!TRAILING.includes(last)) return url.slice(0, end);
    end--;
  }
}

/** The bare URL at `position`. */
export function bareUrl(text: string, position: number): { link: Link; end: number } | null {
  const match = matchAt(BARE_URL, text, position);
  if (!match) return null;
  if (/_[^.]*(?:\.[^.]*)?$/.test(match[2]!)) return null;
  const url = trimUrl(match[0]);
  return {
    link: { type: 'link', url: match[1] ? `http://${url}` : url, children: [url], bare: true },
    end: position + url.length,
  };
}

const LOCAL = /[\w.+-]/;
const DOMAIN = /[a-z\d][\w-]*(?:\.[\w-]+)+/iy;

/** Links the e-mail addresses in a string. */
function linkEmails(text: string): Inline[] {
  const parts: Inline[] = [];
  let done = 0;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    let start = at;
    while (start > done && LOCAL.test(text[start - 1]!)) start--;
    const domain = start < at ? matchAt(DOMAIN, text, at + 1) : null;
    if (!domain || /[-_]$/.test(domain[0])) continue;
    const end = at + 1 + domain[0].length;
    const address = text.slice(start, end);
    if (start > done) parts.push(text.slice(done, start));
    parts.push({ type: 'link', url: `mailto:${address}`, children: [address], bare: true });
    done = end;
  }
  if (done < text.length) parts.push(text.slice(done));
  return parts;
}

/** `content` with the e-mail addresses in its text linked. */
export function withEmailLinks(content: Inline[]): Inline[] {
  return content.flatMap((part): Inline | Inline[] => {
    if (typeof part === 'string') return part.includes('@') ? linkEmails(part) : part;
    return 'children' in part && part.type !== 'link' ? { ...part, children: withEmailLinks(part.children) } : part;
  });
}
