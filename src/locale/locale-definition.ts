/** A language that a page adds with `registerLocale`. */
import type { PluralRule } from './counted-text.ts';
import type { Strings } from './strings.ts';

/** A language of the page's own. A string that is missing at run time is shown in English, and the doctor names it. */
export interface LocaleDefinition {
  /** All strings of the widget. */
  strings: Strings;
  direction: 'ltr' | 'rtl';
  /** Returns the plural category of a number. By default, `Intl.PluralRules` of the tag does. */
  plural?: PluralRule;
}
