/** The languages of the service, and the detection of a text's language. */

export type Language = 'en' | 'ar';

/** Returns the language of a text by its letters, or undefined when it has none. */
export const languageOf = (text: string): Language | undefined => {
  const arabic = text.match(/\p{Script=Arabic}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (arabic === 0 && latin === 0) return undefined;
  // Latin letters count half, so that an Arabic sentence with a Latin name or e-mail address stays Arabic.
  return arabic * 2 >= latin ? 'ar' : 'en';
};
