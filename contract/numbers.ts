/** Reads numbers as people write them: with the digits of any script, and the separators of a language. */
import { toAsciiDigits, withoutInvisible } from './characters.ts';

/** Marks that only separate groups of digits. Each becomes a space. */
const groupMarks = /[٬'’_]/g;
const numberPattern = /^[+-]?(?=.*\d)[\d., ]*$/;

const decimalMarkOf = (tag: string): string =>
  new Intl.NumberFormat(tag, { numberingSystem: 'latn' }).formatToParts(0.5).find(({ type }) => type === 'decimal')!
    .value;

/** Returns the digits of an integer, or null when the marks do not separate groups of digits. */
const integerOf = (text: string, marks: RegExp): string | null => {
  const [first, ...groups] = text.split(marks);
  if (groups.length === 0) return /^\d*$/.test(text) ? text : null;
  const isGrouped =
    /^[1-9]\d{0,2}$/.test(first!) &&
    groups.every((group, index) => /^\d{2,3}$/.test(group) && (group.length === 3 || index < groups.length - 1));
  return isGrouped ? first! + groups.join('') : null;
};

/** Returns a number from its integer part and its fraction, or null when a part is none. */
const joined = (integer: string | null, fraction: string): string | null => {
  if (integer === null || !/^\d*$/.test(fraction)) return null;
  return fraction ? `${integer || '0'}.${fraction}` : integer || null;
};

const unsigned = (text: string, tag: string): string | null => {
  const at = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  const mark = text[at];
  if (mark === undefined) return integerOf(text, / /);
  const other = mark === '.' ? ',' : '.';
  const isOnce = text.indexOf(mark) === at;
  const asDecimal = () =>
    isOnce
      ? joined(integerOf(text.slice(0, at), text.includes(other) ? new RegExp(`[${other}]`) : / /), text.slice(at + 1))
      : null;
  // Both marks: the last one is decimal. One mark that the language uses for decimals is decimal too.
  if (text.includes(other) || text.includes(' ') || (isOnce && mark === decimalMarkOf(tag))) return asDecimal();
  return integerOf(text, new RegExp(`[${mark}]`)) ?? asDecimal();
};

/**
 * Returns the number that a person has written, as in JSON, or null when the text is no number. A mark that is no separator of
 * groups is decimal, so that `1,5` is 1.5 in every language. The digits stay as they are: `007` is `007`.
 * @param tag The language (BCP 47), which decides whether `1,500` is 1500 or 1.5.
 */
export const numberText = (text: string, tag: string): string | null => {
  const plain = toAsciiDigits(withoutInvisible(text))
    .replace(/[\u2212\u2013\uff0d\ufe63]/g, '-')
    .replace(/\uff0b/g, '+')
    .replace(/[،，]/g, ',')
    .replace(/．/g, '.')
    .replace(groupMarks, ' ');
  // The Arabic decimal mark is never anything else.
  const [before, after, ...more] = plain.split('٫');
  if (more.length > 0) return null;
  const isArabic = after !== undefined;
  const sign = /^- ?/.exec(before!) ? '-' : '';
  const digits = before!.replace(/^[+-] ?/, '');
  if (isArabic) {
    const integer = digits === '' ? '' : integerOf(digits, /[., ]/);
    const number = joined(integer, after);
    return number === null ? null : sign + number;
  }
  if (!numberPattern.test(digits) || /^[+-]/.test(digits)) return null;
  const number = unsigned(digits, tag);
  return number === null ? null : sign + number;
};
