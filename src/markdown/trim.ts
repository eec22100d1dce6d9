/** Trimming that is linear: a pattern like `/ +$/` starts again at each of the spaces. */

/** `text` without those of `characters` that it ends with. */
export const withoutEnd = (text: string, characters: string): string => {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
};
