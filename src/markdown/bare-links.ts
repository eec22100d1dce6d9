/** GFM's autolinks: bare URLs, www. hosts and e-mail addresses. */
import { matchAt } from './link-syntax.ts';
import type { Inline, Link } from './syntax-tree.ts';

const schemePattern = /(?<![^\s*_~(])(?:https?:\/\/|www\.)/gi;

/** Returns where a bare URL may start in `text`, or -1. `before` is the character in front of the text. */
export const bareUrlStart = (text: string, before: string): number => {
  schemePattern.lastIndex = /[^\s*_~(]/.test(before) ? 1 : 0;
  return schemePattern.exec(text)?.index ?? -1;
};

const bareUrlPattern = /(?:https?:\/\/|(www\.))((?:[\p{L}\p{N}_-]+\.)*[\p{L}\p{N}_-]+)(?:[:/?#][^\s<]*)?/iuy;
// Punctuation of other scripts also ends a sentence after a URL.
const trailing = '?!.,:*_~\'"؟،؛。，、！？：；»”’';

/** Removes punctuation, unbalanced parentheses and a character reference from the end of a URL. */
const trimUrl = (url: string): string => {
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
    } else if (!trailing.includes(last)) return url.slice(0, end);
    end--;
  }
};

/** Parses the bare URL at `position`. */
export const bareUrl = (text: string, position: number): { link: Link; end: number } | null => {
  const match = matchAt(bareUrlPattern, text, position);
  if (!match) return null;
  if (/_[^.]*(?:\.[^.]*)?$/.test(match[2]!)) return null;
  const url = trimUrl(match[0]);
  return {
    link: { type: 'link', url: match[1] ? `http://${url}` : url, children: [url], bare: true },
    end: position + url.length,
  };
};

// The local part has a maximum length, so that a long word does not cost quadratic time.
const emailPattern = /(?<![\w.+-])[\w.+-]{1,64}@[a-z\d][\w-]*(?:\.[\w-]+)+/gi;

/** Links the e-mail addresses in a string. */
const linkEmails = (text: string): Inline[] => {
  const parts: Inline[] = [];
  let done = 0;
  for (const { 0: address, index } of text.matchAll(emailPattern)) {
    if (/[-_]$/.test(address)) continue;
    parts.push(text.slice(done, index), { type: 'link', url: `mailto:${address}`, children: [address], bare: true });
    done = index + address.length;
  }
  return [...parts, text.slice(done)].filter((part) => part !== '');
};

/** Links the e-mail addresses in the text of inline content. */
export const withEmailLinks = (content: Inline[]): Inline[] => {
  return content.flatMap((part): Inline | Inline[] => {
    if (typeof part === 'string') return part.includes('@') ? linkEmails(part) : part;
    return 'children' in part && part.type !== 'link' ? { ...part, children: withEmailLinks(part.children) } : part;
  });
};
