/** GFM's autolinks: bare URLs, www. hosts and e-mail addresses. They may stand beside any quotation mark, bracket, colon or letter. */
import { directionMarks } from '../../contract/characters.ts';
import { matchAt } from './link-syntax.ts';
import type { Inline, Link } from './syntax-tree.ts';

/** Matches where a bare URL may start: not after a letter of a scheme or a host, nor within a longer address. */
export const urlStartPattern = /(?<![A-Za-z\d+-])https?:\/\/|(?<![A-Za-z\d+./@-])www\./gi;

/** Splits a text into its bare URLs and the text between them. */
export const linkUrls = (text: string): Inline[] => {
  const parts: Inline[] = [];
  let done = 0;
  urlStartPattern.lastIndex = 0;
  for (let match; (match = urlStartPattern.exec(text));) {
    const { lastIndex } = urlStartPattern;
    const found = bareUrl(text, match.index);
    if (found) {
      parts.push(text.slice(done, match.index), found.link);
      done = found.end;
    }
    urlStartPattern.lastIndex = Math.max(lastIndex, done);
  }
  return [...parts, text.slice(done)].filter((part) => part !== '');
};

const hostPattern = /(?:https?:\/\/|(www\.))((?:[\p{L}\p{N}_-]+\.)*[\p{L}\p{N}_-]+)/iuy;
// Punctuation of other scripts also ends a sentence after a URL.
const trailing = '?!.,:*_~\'"؟،؛。，、！？：；»”’';
/** What no URL contains: space, quotation marks, brackets and punctuation of other scripts, and marks that nobody sees. */
const stopPattern = new RegExp(
  `[\\s<>"\`\\\\«»‹›“”„‟‘’‚،؛؟۔\\u3000-\\u3003\\u3008-\\u301f\\uff01-\\uff0f\\uff1a-\\uff20\\uff3b-\\uff40\\uff5b-\\uff65\\u200b${directionMarks}]`,
);
/** What closes a quotation mark or a bracket in front of a URL. */
const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', "'": "'" };
/** Where a text without spaces goes on after a URL: a letter of a script without case follows an ASCII letter or digit. */
const nextWordPattern = /(?<=[A-Za-z\d)\]])\p{Lo}/u;

/** Returns where the URL ends whose path starts at `start`. `opener` is the character in front of the URL. */
const tailEnd = (text: string, start: number, opener: string): number => {
  const depth: Record<string, number> = { ')': 0, ']': 0, '}': 0 };
  let end = start;
  for (; end < text.length; end++) {
    const character = text[end]!;
    if (stopPattern.test(character)) break;
    const closing = closers[character];
    if (closing !== undefined && closing !== "'") depth[closing]!++;
    const isUnbalanced = character in depth && --depth[character]! < 0;
    // GFM allows an unbalanced parenthesis in a URL, unless the URL itself is in parentheses.
    if ((isUnbalanced && character !== ')') || ((isUnbalanced || character === "'") && closers[opener] === character))
      break;
  }
  const next = text.slice(start - 1, end).search(nextWordPattern);
  return next < 0 ? end : start - 1 + next;
};

/** Removes punctuation, unbalanced parentheses and a character reference from the end of a URL. */
const trimUrl = (url: string): string => {
  let extra = 0;
  for (const character of url) extra += character === ')' ? 1 : character === '(' ? -1 : 0;
  let end = url.length;
  for (;;) {
    const last = url[end - 1]!;
    if (last === ')' && extra > 0) extra--;
    else if (last === ';') {
      // No name of a reference is longer.
      const reference = /&\w{1,31};$/.exec(url.slice(Math.max(0, end - 33), end));
      if (reference) end = end - reference[0].length + 1;
    } else if (!trailing.includes(last)) return url.slice(0, end);
    end--;
  }
};

interface BareUrl {
  link: Link;
  end: number;
  /** Whether a later text cannot continue the URL. */
  isComplete: boolean;
}

/** Parses the bare URL at `position`. */
export const bareUrl = (text: string, position: number): BareUrl | null => {
  const match = matchAt(hostPattern, text, position);
  if (!match) return null;
  // Another script in the last label is the next word.
  const word = match[2]!.lastIndexOf('.') + 1;
  const next = match[2]!.slice(word).search(nextWordPattern);
  const host = next < 0 ? match[2]! : match[2]!.slice(0, word + next);
  if (host.split('.').slice(-2).join().includes('_')) return null;
  const hostEnd = position + match[0].length - match[2]!.length + host.length;
  const hasTail = next < 0 && /[:/?#]/.test(text[hostEnd] ?? '');
  const end = hasTail ? tailEnd(text, hostEnd, text[position - 1] ?? '') : hostEnd;
  const url = trimUrl(text.slice(position, end));
  return {
    link: { type: 'link', url: match[1] ? `http://${url}` : url, children: [url], bare: true },
    end: position + url.length,
    // Only a dot at the end may be followed by another part of the host.
    isComplete: end < text.length && (hasTail || next >= 0 || text.slice(end) !== '.'),
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
