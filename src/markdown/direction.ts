/** Determines the direction of a text: that of its first letter. */
import { inlineText, type Inline } from './syntax-tree.ts';

export type Direction = 'ltr' | 'rtl';

/** The letters of scripts that are written from right to left, such as Hebrew, Arabic, Syriac, Thaana, N'Ko and Adlam. */
const rightToLeft = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * A letter, or the mark that writers put in front of a Latin word at the beginning of a right-to-left text. The one for left to
 * right is none: `Intl` puts it in front of a negative number in Arabic.
 */
const strongPattern = /[\p{L}\u061c\u200f]/u;

/** The characters among which the first letter is searched. */
const beginning = 1_000;

/**
 * Returns the direction of the first letter, or null without one, as `dir="auto"` does. It reads only the beginning:
 * with `dir="auto"`, Chromium needs ten seconds for each key in a text of a million characters.
 */
export const directionOf = (text: string): Direction | null => {
  const letter = strongPattern.exec(text.slice(0, beginning))?.[0];
  if (letter === undefined) return null;
  return rightToLeft.test(letter) ? 'rtl' : 'ltr';
};

/** Returns the text of inline content without its code and formulas, which are left to right in every language. */
const textWithoutCode = (content: readonly Inline[], hasRuns: boolean): string =>
  content
    .map((part) => {
      if (typeof part === 'string') return part;
      if (part.type === 'code' || part.type === 'math' || (part.type === 'run' && !hasRuns)) return ' ';
      return 'children' in part ? textWithoutCode(part.children, hasRuns) : inlineText([part]);
    })
    .join('');

/** The direction of inline content that may continue. */
export interface ContentDirection {
  /** The direction of its first letter, also within a run. */
  readonly first: Direction | null;
  /** Whether it has letters outside of runs, code and formulas. */
  readonly hasWords: boolean;
}

/** Determines the direction of inline content, after the content in front of it. `dir="auto"` would not look into its runs. */
export const directionOfContent = (
  content: readonly Inline[],
  before: ContentDirection = { first: null, hasWords: false },
): ContentDirection => ({
  first: before.first ?? directionOf(textWithoutCode(content, true)),
  hasWords: before.hasWords || /\p{L}/u.test(textWithoutCode(content, false)),
});

/** Returns the direction of a text, or null for one of nothing but runs, which has that of the conversation. */
export const toDirection = ({ first, hasWords }: ContentDirection): Direction | null => (hasWords ? first : null);
