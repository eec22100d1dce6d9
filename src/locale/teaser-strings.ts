/** The strings of the teaser, in both languages. Loaded with it. */
import type { TeaserStrings } from './strings.ts';

export const teaserStrings: Record<'en' | 'ar', TeaserStrings> = {
  en: { dismiss: 'Dismiss' },
  ar: { dismiss: 'إخفاء' },
};
