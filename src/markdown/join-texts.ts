/** Joins texts with the comma of their script. */
export const joinTexts = (texts: readonly string[]): string =>
  texts.join(texts.some((text) => /[\u0600-\u06ff]/.test(text)) ? '، ' : ', ');
