/** The characters that both sides treat alike: those that nobody sees, and the digits of all scripts. */

/** The marks that change the direction of a text, as part of a character class. */
export const directionMarks = '\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069';

/** The spaces at which no line breaks, as part of a character class. */
export const noBreakSpaces = '\u00a0\u2007\u202f';

/** Characters without a width that no text needs: of a copy, a keyboard or a file. */
const zeroWidth = '\u00ad\u180e\u200b\u2060-\u2064\ufeff\ufff9-\ufffb';

const invisiblePattern = new RegExp(`[${directionMarks}${zeroWidth}]`, 'g');
const visiblePattern = new RegExp(`[^\\s\u200c\u200d${directionMarks}${zeroWidth}]`);
/** Joiners shape the letters of Persian and of scripts of India, and join emoji, but only between two characters. */
const uselessJoinerPattern = /^[\u200c\u200d]+|[\u200c\u200d]+$|(?<=\s)[\u200c\u200d]+|[\u200c\u200d]+(?=\s)/g;

/** Whether a text has a character that a reader sees. */
export const hasVisibleText = (text: string): boolean => visiblePattern.test(text);

/** Returns `text` without the characters that nobody sees, on one line, with single spaces. */
export const visibleLine = (text: string): string =>
  text.replace(invisiblePattern, '').replace(uselessJoinerPattern, '').replace(/\s+/g, ' ').trim();

/** Returns a value that has no joiners, such as an address or a number, without the characters that nobody sees. */
export const withoutInvisible = (text: string): string => visibleLine(text).replace(/[\u200c\u200d]/g, '');

const digitPattern = /\p{Nd}/gu;

/** The digits of a script follow each other, and so do some sets of digits, so the position in the row decides. */
const digitValue = (digit: string): number => {
  const code = digit.codePointAt(0)!;
  let first = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--;
  return (code - first) % 10;
};

/** Replaces the decimal digits of every script by ASCII digits. */
export const toAsciiDigits = (text: string): string =>
  text.replace(digitPattern, (digit) => (digit <= '9' ? digit : String(digitValue(digit))));

/** Counts the characters of a text as the contract's limits do: Unicode code points. */
export const countCharacters = (text: string): number => {
  let count = 0;
  for (let index = 0; index < text.length; index += text.codePointAt(index)! > 0xffff ? 2 : 1) count++;
  return count;
};

/** Whether a text has more characters than a limit of the contract allows. */
export const isLongerThan = (text: string, limit: number): boolean =>
  text.length > limit && countCharacters(text) > limit;

/** Returns the start of a text with at most `limit` characters, and never a part of what a person sees as one. */
export const shortened = (text: string, limit: number): string => {
  if (!isLongerThan(text, limit)) return text;
  let count = 0;
  for (const { segment, index } of new Intl.Segmenter().segment(text)) {
    count += countCharacters(segment);
    if (count > limit) return text.slice(0, index);
  }
  return text;
};
