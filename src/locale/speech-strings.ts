/** The strings of dictation and reading aloud, in both languages. Loaded with their code. */
import type { SpeechStrings } from './strings.ts';

export const speechStrings: Record<'en' | 'ar', SpeechStrings> = {
  en: { dictate: 'Dictate', readAloud: 'Read aloud' },
  ar: { dictate: 'إملاء', readAloud: 'قراءة بصوت مسموع' },
};
