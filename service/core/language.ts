/** The language a text is written in, by its letters; undefined when it has none. */
import type { Language } from '../db/schema.ts';

export const languageOf = (text: string): Language | undefined => {
  const arabic = text.match(/\p{Script=Arabic}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (arabic === 0 && latin === 0) return undefined;
  // A Latin name, an e-mail address or a product in an Arabic sentence does not make it an English one.
  return arabic * 2 >= latin ? 'ar' : 'en';
};
