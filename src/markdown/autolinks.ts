/** Autolinks: URLs in angle brackets, and GFM's bare URLs and www. hosts. */
import { matchAt } from './link-syntax.ts';
import type { Link } from './syntax-tree.ts';

const anglePattern =
  // oxlint-disable-next-line no-control-regex
  /<(?:([a-z][a-z\d+.-]{1,31}:[^\s<>\0-\x20]*)|([\w.!#$%&'*+/=?^`{|}~-]+@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.(?=[a-z\d])|(?=>)))+))>/iy;

/** Parses the autolink in angle brackets at `position`. */
export const angleLink = (text: string, position: number): { link: Link; end: number } | null => {
  const match = matchAt(anglePattern, text, position);
  if (!match) return null;
  const address = (match[1] ?? match[2])!;
  const url = match[1] ? address : `mailto:${address}`;
  return { link: { type: 'link', url, children: [address] }, end: anglePattern.lastIndex };
};

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
