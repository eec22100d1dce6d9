/** Recognizes the start of a block from the first characters of a line. */

import type { Line } from './line.ts';
import { withoutEnd } from './trim.ts';

const fencePattern = /^(`{3,}(?=[^`]*$)|~{3,})(.*)$/;
const thematicBreakPattern = /^(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$/;
const headingPattern = /^#{1,6}(?![^ \t])/;
const underlinePattern = /^(?:=+|-+)[ \t]*$/;
const listMarkerPattern = /^(?:(\d{1,9})(?=[.)])|(?=[-+*]))(.)(?![^ \t])/;

/** Consumes the marker of a quote with the space after it. Returns false when the line has none. */
export const eatQuoteMarker = (line: Line): boolean => {
  if (line.indent >= 4 || line.content[0] !== '>') return false;
  line.eatMarker(1);
  line.eat(1);
  return true;
};

export const isThematicBreak = (content: string): boolean => thematicBreakPattern.test(content);

/** Returns the opening fence and its info string. */
export const openingFence = (content: string): { fence: string; info: string } | null => {
  const match = fencePattern.exec(content);
  return match && { fence: match[1]!, info: match[2]!.trim() };
};

/** Whether `content` closes the code block that `fence` opened. */
export const closesFence = (content: string, fence: string): boolean => {
  const text = content.trimEnd();
  return text.length >= fence.length && text === fence.charAt(0).repeat(text.length);
};

/** Returns a heading's level and its text without the closing sequence. */
export const atxHeading = (content: string): { level: number; text: string } | null => {
  const match = headingPattern.exec(content);
  if (!match) return null;
  const level = match[0].length;
  const text = content.slice(level).trim();
  const withoutClosing = withoutEnd(text, '#');
  return { level, text: /^$|[ \t]$/.test(withoutClosing.slice(-1)) ? withoutClosing.trimEnd() : text };
};

/** Returns the level of the setext heading that `content` underlines. */
export const underlineLevel = (content: string): 1 | 2 | null => {
  if (!underlinePattern.test(content)) return null;
  return content.startsWith('=') ? 1 : 2;
};

export interface ListMarker {
  length: number;
  /** The bullet, or the delimiter after the number. */
  marker: string;
  start: number | null;
}

export const listMarker = (content: string): ListMarker | null => {
  const match = listMarkerPattern.exec(content);
  if (!match) return null;
  return { length: match[0].length, marker: match[2]!, start: match[1] ? Number(match[1]) : null };
};

/** Whether a list may interrupt a paragraph: not with an empty item, nor with a number other than 1. */
export const mayInterrupt = ({ length, start }: ListMarker, content: string): boolean => {
  return (start === null || start === 1) && content.slice(length).trim() !== '';
};
