/** Trims text in linear time. A pattern such as `/ +$/` starts again at each space. */

/** Removes the trailing characters of `text` that occur in `characters`. */
export const withoutEnd = (text: string, characters: string): string => {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
};

/** Removes the blank lines at the end of `text`. */
export const withoutBlankLines = (text: string): string => {
  return text.slice(0, text.indexOf('\n', withoutEnd(text, ' \t\n').length) + 1);
};
