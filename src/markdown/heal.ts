/** Hides the incomplete syntax at the end of a text that is still streaming. */
import { plainSpaces } from './line.ts';
import type { Block, Container } from './syntax-tree.ts';
import { withoutEnd } from './trim.ts';

const containerMarkersPattern = /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\p{Nd}{1,9}[.)](?=[ \t])))*[ \t]*/u;
/** A line of markers only, an opening fence, or a definition. */
const undecidedPattern = /^(?:[-=+*_#~`|:>\s]*|\p{Nd}{1,9}[.)]?|(?:`{3,}|~{3,}).*|\[[^\]]+\]:.*)$/u;
const taskBoxPattern = /^\[(?:[ xX]?|[ xX]\]\s*)$/;

/** Whether the unfinished last line must wait because it can still become any kind of block. */
export const isUndecided = (text: string, tip: Container | Block): boolean => {
  const line = plainSpaces(text);
  if (tip.type === 'code' && tip.fence) {
    const content = line.trim();
    return content !== '' && content === tip.fence.charAt(0).repeat(content.length);
  }
  const markers = containerMarkersPattern.exec(line)![0];
  const content = line.slice(markers.length);
  return (
    undecidedPattern.test(content) ||
    (/[-+*.)][ \t]+$/.test(markers) && taskBoxPattern.test(content)) ||
    (content.startsWith('|') && tip.type !== 'table')
  );
};

/** Returns the part of an open paragraph to show, without a last line that may become a table header or definition. */
export const visibleParagraph = (text: string): string => {
  const shown = text.trimEnd();
  if (/^\[[^\]]+\]:/.test(shown)) return '';
  const lastLine = shown.lastIndexOf('\n') + 1;
  return shown[lastLine] === '|' ? shown.slice(0, lastLine).trimEnd() : shown;
};

/** An incomplete tag or autolink in angle brackets, or an incomplete character reference. */
const halfOpenPattern = /(?:<(?:!-?|\/?[a-z][^\s<>]*|br\s+\/?)?|&#?\w{0,31})$/i;
const maxHalfOpen = 2000;

/** Returns streaming inline text without the markers and the incomplete reference at its end. */
export const visibleText = (text: string): string => {
  const start = Math.max(0, text.length - maxHalfOpen);
  const halfOpen = text.slice(start).search(halfOpenPattern);
  return withoutEnd(halfOpen < 0 ? text : text.slice(0, start + halfOpen), '\\*_~!');
};
