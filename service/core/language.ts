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

/** Returns a text that an owner wrote in one language, or in both. */
export const textIn = (text: string | Record<Language, string>, language: Language): string => {
  return typeof text === 'string' ? text : text[language];
};

/**
 * Returns the language that an `Accept-Language` header prefers among those of the service (RFC 9110, 12.5.4). A language that
 * is not in the header has the weight of `*`.
 */
export const acceptedLanguage = (header: string): Language => {
  const accepted = header.split(',').map((part) => {
    const [tag = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const weight = parameters
      .map((parameter) => /^q\s*=\s*(.*)$/.exec(parameter)?.[1])
      .find((value) => value !== undefined);
    return { language: tag.split('-')[0]!, weight: weight === undefined ? 1 : Number(weight) || 0 };
  });
  const preferenceOf = (language: Language) => {
    const ranges = accepted.filter((range) => range.language === language);
    const matching = ranges.length > 0 ? ranges : accepted.filter((range) => range.language === '*');
    const best = matching.toSorted((a, b) => b.weight - a.weight)[0];
    return { weight: best?.weight ?? 0, position: best ? accepted.indexOf(best) : accepted.length };
  };
  const [arabic, english] = [preferenceOf('ar'), preferenceOf('en')];
  if (arabic.weight !== english.weight) return arabic.weight > english.weight ? 'ar' : 'en';
  // Of two languages with the same weight, the first one wins.
  return arabic.weight > 0 && arabic.position < english.position ? 'ar' : 'en';
};
