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

/** Returns the language that an `Accept-Language` header prefers among those of the service (RFC 9110, 12.5.4). */
export const acceptedLanguage = (header: string): Language => {
  const accepted = header.split(',').map((part) => {
    const [tag = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return { language: tag.split('-')[0], weight: weight === undefined ? 1 : Number(weight) || 0 };
  });
  const supported = accepted.filter(({ language, weight }) => ['ar', 'en', '*'].includes(language!) && weight > 0);
  // The sort is stable: of two languages with the same weight, the first one wins.
  return supported.sort((a, b) => b.weight - a.weight)[0]?.language === 'ar' ? 'ar' : 'en';
};
