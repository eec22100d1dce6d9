/** Texts whose words depend on a number. */

/** Returns the CLDR plural category of a number. */
export type PluralRule = (count: number) => Intl.LDMLPluralRule;

/** The forms of a text by CLDR plural category, with `#` for the number. */
export type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** A text with a number: its forms, or a function of the number as it is shown and of the number. */
export type CountedText<Shown> = PluralForms | ((shown: Shown, count: number) => string);

/**
 * Returns the tag with which a number is written. Arabic has Latin digits, which the texts of a workspace have, unless the tag names
 * others, such as `ar-OM-u-nu-arab`: a reply has one kind of digits.
 */
export const numberTag = (tag: string): string =>
  /^ar\b(?!.*-nu-)/.test(tag) ? new Intl.Locale(tag, { numberingSystem: 'latn' }).toString() : tag;

/**
 * Returns a text with a number, in the digits of the language. A page may have set a text without forms: then it is the number alone.
 * @param shown The number for a text that is a function.
 */
export const countedText = <Shown extends string | number = number>(
  text: CountedText<Shown>,
  pluralRule: PluralRule,
  count: number,
  languageTag: string,
  shown = count as Shown,
): string =>
  typeof text === 'function'
    ? text(shown, count)
    : (text[pluralRule(count)] ?? text.other ?? '#').replace('#', count.toLocaleString(languageTag));
