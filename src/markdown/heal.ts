/** Half-open syntax: what of a text that is still being written had better wait for the next characters. */
import type { Block, Container } from './syntax-tree.ts';
import { withoutEnd } from './trim.ts';

const CONTAINER_MARKERS = /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])))*[ \t]*/;
/** Only markers so far, a fence's opening line, or a definition. */
const UNDECIDED = /^(?:[-=+*_#~`|:>\s]*|\d{1,9}[.)]?|(?:`{3,}|~{3,}).*|\[[^\]]+\]:.*)$/;
const TASK_BOX = /^\[(?:[ xX]?|[ xX]\]\s*)$/;

/** Whether the unfinished last line must wait because it may still become anything. */
export function isUndecided(line: string, tip: Container | Block): boolean {
  if (tip.type === 'code' && tip.fence) {
    const content = line.trim();
    return content !== '' && content === tip.fence.charAt(0).repeat(content.length);
  }
  const markers = CONTAINER_MARKERS.exec(line)![0];
  const content = line.slice(markers.length);
  return (
    UNDECIDED.test(content) ||
    (/[-+*.)][ \t]+$/.test(markers) && TASK_BOX.test(content)) ||
    (content.startsWith('|') && tip.type !== 'table')
  );
}

/** The part of an open paragraph to show: not a last line that may be a table's header, nor a definition. */
export function visibleParagraph(text: string): string {
  const shown = text.trimEnd();
  if (/^\[[^\]]+\]:/.test(shown)) return '';
  const lastLine = shown.lastIndexOf('\n') + 1;
  return shown[lastLine] === '|' ? shown.slice(0, lastLine).trimEnd() : shown;
}

/** The half of a link in angle brackets, or of a character reference. */
const HALF_OPEN = /(?:<(?:[a-z][^\s<>]*)?|&#?\w{0,31})$/i;
const MAX_HALF_OPEN = 2000;

/** Inline text that is still being written, without the markers and the half of a reference at its end. */
export function visibleText(text: string): string {
  const start = Math.max(0, text.length - MAX_HALF_OPEN);
  const halfOpen = text.slice(start).search(HALF_OPEN);
  return withoutEnd(halfOpen < 0 ? text : text.slice(0, start + halfOpen), '\\*_~!');
}
