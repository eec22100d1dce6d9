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

/** Inline text that is still being written, without the markers and the half of a reference at its end. */
export function visibleText(text: string): string {
  let end = text.length;
  const angle = text.lastIndexOf('<');
  if (angle >= 0 && angle > end - 2048 && /^<(?:[a-z][^\s<>]*)?$/i.test(text.slice(angle))) end = angle;
  const ampersand = text.lastIndexOf('&');
  if (ampersand >= 0 && /^&#?\w{0,31}$/.test(text.slice(ampersand, end))) end = ampersand;
  return withoutEnd(text.slice(0, end), '\\*_~!');
}
