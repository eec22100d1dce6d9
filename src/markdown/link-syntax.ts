/** Parses the parts of links: destinations, titles (which are not shown), labels and definitions. */
import { decodeEntities } from './entities.ts';

export const punctuationPattern = /[!-/:-@[-`{-~]/;
const escapedPattern = /\\([!-/:-@[-`{-~])/g;

const angleDestinationPattern = /<((?:[^<>\n\\]|\\.)*)>/y;
const titlePattern = /"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|\((?:[^()\\]|\\[^])*\)/y;
const spacePattern = /[ \t]*(?:\n[ \t]*)?/y;
const restOfLinePattern = /[ \t]*(?:\n|$)/y;
const labelPattern = /\[((?:[^\\[\]]|\\[^]){1,999})\]/y;

/** The maximum length of a destination that is incomplete while the text streams. A longer one is text. */
const maxUnfinished = 2000;

/** Matches a sticky `pattern` at `position`. */
export const matchAt = (pattern: RegExp, text: string, position: number): RegExpExecArray | null => {
  pattern.lastIndex = position;
  return pattern.exec(text);
};

const endOf = (pattern: RegExp, text: string, position: number): number =>
  matchAt(pattern, text, position) ? pattern.lastIndex : -1;

/** Decodes backslash escapes and character references in a destination or an info string. */
export const unescape = (text: string): string => {
  // An escaped ampersand does not start a reference.
  return decodeEntities(
    text.replace(escapedPattern, (_, character: string) => (character === '&' ? '&amp;' : character)),
  );
};

/** Returns the normalized key of a label: without case and with single spaces. */
export const labelKey = (label: string): string => label.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase();

/** Returns the label in brackets at `position` and where it ends. */
export const labelAt = (text: string, position: number): { label: string; end: number } | null => {
  const match = matchAt(labelPattern, text, position);
  return match && { label: match[1]!, end: labelPattern.lastIndex };
};

/** An address with a path, which may contain spaces when it is written by hand. */
const spacedPattern = /(?:https?:\/\/[^\s()<>/]+\/|mailto:)[^\s()<>]*/iy;
const lastTitlePattern = /[ \t]+(?:"[^"]*"|'[^']*')$/;

interface Destination {
  url: string;
  end: number;
}

const destination = (text: string, start: number): Destination | null => {
  if (text[start] === '<') {
    const match = matchAt(angleDestinationPattern, text, start);
    return match && { url: unescape(match[1]!), end: start + match[0].length };
  }
  let depth = 0;
  let end = start;
  for (; end < text.length; end++) {
    const character = text[end]!;
    if (character === '\\' && punctuationPattern.test(text[end + 1] ?? '')) end++;
    else if (character === '(') {
      if (++depth > 32) return null;
    } else if (character === ')') {
      if (--depth < 0) break;
    } else if (character <= ' ' || character === '\u007f') break;
  }
  return depth > 0 ? null : { url: unescape(text.slice(start, end)), end };
};

/** Parses a destination with spaces, up to the parenthesis that closes the link. CommonMark allows spaces only in angle brackets. */
const spacedTarget = (text: string, start: number): Destination | 'unfinished' | null => {
  if (!matchAt(spacedPattern, text, start)) return null;
  let depth = 0;
  for (let end = start; end - start < maxUnfinished; end++) {
    const character = text[end];
    if (character === undefined) return 'unfinished';
    if (/[\n<>]/.test(character)) return null;
    if (character === '\\') end++;
    else if (character === '(') depth++;
    else if (character === ')' && --depth < 0) {
      const url = text.slice(start, end).trimEnd().replace(lastTitlePattern, '');
      return { url: unescape(url), end: end + 1 };
    }
  }
  return null;
};

/**
 * Parses the target of an inline link from its opening parenthesis. Returns null when there is none, and 'unfinished' when
 * the text ends too early to tell.
 */
export const inlineTarget = (text: string, start: number): Destination | 'unfinished' | null => {
  const from = endOf(spacePattern, text, start + 1);
  const target = destination(text, from);
  if (!target) {
    const mayGoOn = text.length - from < maxUnfinished && /^(?:<[^<>\n]*|[^\s<]*)$/.test(text.slice(from));
    return mayGoOn ? 'unfinished' : null;
  }
  let end = endOf(spacePattern, text, target.end);
  if (end > target.end) {
    const titleEnd = endOf(titlePattern, text, end);
    if (titleEnd >= 0) end = endOf(spacePattern, text, titleEnd);
    else if (/["'(]/.test(text[end] ?? '')) return spacedTarget(text, from) ?? 'unfinished';
  }
  if (end >= text.length) return 'unfinished';
  return text[end] === ')' ? { url: target.url, end: end + 1 } : spacedTarget(text, from);
};

/** Parses the link reference definition at `position` of a paragraph's text. */
export const definitionAt = (text: string, position: number): { key: string; url: string; end: number } | null => {
  const found = labelAt(text, position);
  if (!found?.label.trim() || text[found.end] !== ':') return null;
  const start = endOf(spacePattern, text, found.end + 1);
  const target = destination(text, start);
  if (!target || target.end === start) return null;
  let end = endOf(restOfLinePattern, text, target.end);
  const titleStart = endOf(spacePattern, text, target.end);
  if (titleStart > target.end) {
    const titleEnd = endOf(titlePattern, text, titleStart);
    const afterTitle = titleEnd < 0 ? -1 : endOf(restOfLinePattern, text, titleEnd);
    if (afterTitle >= 0) end = afterTitle;
  }
  return end < 0 ? null : { key: labelKey(found.label), url: target.url, end };
};
