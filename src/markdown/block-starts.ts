/** Recognizes the start of a block from the first characters of a line. */

import { directionMarks, noBreakSpaces, toAsciiDigits } from '../../contract/characters.ts';
import { Line, plainSpaces } from './line.ts';
import { withoutEnd } from './trim.ts';

const fencePattern = /^(`{3,}(?=[^`]*$)|~{3,})(.*)$/;
const thematicBreakPattern = /^(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$/;
/** What follows the marker of a heading or an item: a space, maybe after direction marks, or the end of the line. */
const afterMarker = `(?=[${directionMarks}]*(?:[ \\t${noBreakSpaces}]|$))`;
const headingPattern = new RegExp(`^#{1,6}${afterMarker}`);
const underlinePattern = /^(?:=+|-+)[ \t]*$/;
const listMarkerPattern = new RegExp(`^(?:(\\p{Nd}{1,9})[${directionMarks}]*(?=[.)])|(?=[-+*]))(.)${afterMarker}`, 'u');

/** Consumes the marker of a quote with the space after it. Returns false when the line has none. */
export const eatQuoteMarker = (line: Line): boolean => {
  if (line.indent >= 4 || line.content[0] !== '>') return false;
  line.eatMarker(1);
  line.eat(1);
  return true;
};

export const isThematicBreak = (content: string): boolean => thematicBreakPattern.test(plainSpaces(content));

/** Returns the opening fence and its info string. */
export const openingFence = (content: string): { fence: string; info: string } | null => {
  const match = fencePattern.exec(content);
  return match && { fence: match[1]!, info: match[2]!.trim() };
};

/** Whether `content` closes the code block that `fence` opened. */
export const closesFence = (content: string, fence: string): boolean => {
  const text = plainSpaces(content).trimEnd();
  return text.length >= fence.length && text === fence.charAt(0).repeat(text.length);
};

/** Returns a heading's level and its text without the closing sequence. */
export const atxHeading = (content: string): { level: number; text: string } | null => {
  const match = headingPattern.exec(content);
  if (!match) return null;
  const level = match[0].length;
  const rest = new Line(content.slice(level).trimEnd());
  rest.skipIndent();
  const text = rest.rest;
  const withoutClosing = withoutEnd(text, '#');
  return { level, text: /^$|[ \t]$/.test(withoutClosing.slice(-1)) ? withoutClosing.trimEnd() : text };
};

/** Returns the level of the setext heading that `content` underlines. */
export const underlineLevel = (content: string): 1 | 2 | null => {
  if (!underlinePattern.test(plainSpaces(content))) return null;
  return content.startsWith('=') ? 1 : 2;
};

export interface ListMarker {
  length: number;
  /** The number of its columns. */
  width: number;
  /** The bullet, or the delimiter after the number. */
  marker: string;
  start: number | null;
}

export const listMarker = (content: string): ListMarker | null => {
  const match = listMarkerPattern.exec(content);
  if (!match) return null;
  return {
    length: match[0].length,
    width: plainSpaces(match[0]).length,
    marker: match[2]!,
    start: match[1] ? Number(toAsciiDigits(match[1])) : null,
  };
};

/** Whether a list may interrupt a paragraph: not with an empty item, nor with a number other than 1. */
export const mayInterrupt = ({ length, start }: ListMarker, content: string): boolean => {
  return (start === null || start === 1) && plainSpaces(content.slice(length)).trim() !== '';
};
