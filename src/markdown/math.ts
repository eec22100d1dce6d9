/** Recognizes formulas: `$…$`, `$$…$$`, `\(…\)` and `\[…\]`. Prices, variables of a shell and escaped brackets are text. */
import type { MathFormula } from './syntax-tree.ts';

/** A longer formula stays text: its end is searched at every update of a streaming reply. */
const maxLength = 1000;

const formulaPattern =
  /\$\$([^$]+)\$\$(?![$\w])|\$(?=\S)((?:\\.|[^$\\\n])+)(?<=\S)\$(?![$\w])|\\\((.{1,1000}?)\\\)|\\\[([^]{1,1000}?)\\\]/y;

/** A command with its first argument, which may be words. */
const commandPattern = /\\[a-z]+\*?(?:\{[^{}]*\})?/gi;
/** A price with a word after it, two words, a word that joins others, or a letter of a script that formulas do not use. */
const prosePattern =
  /^[\d.,]+ [a-z]{2}|[a-z]{3,} [a-z]{2}|(?<!\S)(?:and|or|to|for|per|is)(?!\S)|[^\P{L}\p{Script=Latin}\p{Script=Greek}]/iu;
/** What brackets with a backslash contain if they are around a formula, and do not escape [1] or (optional). */
const signPattern = /[\\^_=+*<>]|^\s*\p{L}\s*$/u;

/** A delimiter that has a line of its own. */
const delimiterLinePattern = /^\s*(?:\$\$|\\[[\]])\s*$/m;

/**
 * Returns the formula at a dollar sign or a backslash, null for none, or undefined if later text may complete it.
 * @param isOpen Whether more text may follow.
 */
export const mathAt = (
  text: string,
  position: number,
  isOpen = false,
): { formula: MathFormula; end: number } | null | undefined => {
  const sign = text[position];
  const isEscape = sign === '\\' && !/[([]/.test(text[position + 1] ?? '');
  if (isEscape || /[\w$]/.test(text[position - 1] ?? '')) return null;
  formulaPattern.lastIndex = position;
  const match = formulaPattern.exec(text);
  const end = formulaPattern.lastIndex;
  if (isOpen && (!match || end === text.length)) return text.length - position > maxLength ? null : undefined;
  if (!match || match[0].length > maxLength) return null;
  const [written, block, inline, round, square] = match;
  const tex = (block ?? inline ?? round ?? square)!.trim();
  const isFormula = /[\p{L}\p{N}]/u.test(tex) && !prosePattern.test(tex.replace(commandPattern, ' '));
  if (!isFormula || (sign === '\\' && !signPattern.test(tex))) return null;
  return { formula: { type: 'math', text: written, tex, isBlock: (block ?? square) !== undefined }, end };
};

/** Whether a paragraph ends within a formula whose delimiters have lines of their own. Nothing in it starts a block. */
export const isInFormula = (text: string): boolean =>
  text.length < maxLength && text.split(delimiterLinePattern).length % 2 === 0;
