/** The strings of client tools, in both languages. Loaded with the code that shows tools. */
import type { ToolStrings } from './strings.ts';

const words = (name: string) => name.replaceAll('_', ' ');
// Isolated, because the name is in English.
const quoted = (name: string) => `«\u2068${words(name)}\u2069»`;

export const toolStrings: Record<'en' | 'ar', ToolStrings> = {
  en: {
    tools: {
      asked: (name) => `Asks to use: ${words(name)}`,
      running: (name) => `Using: ${words(name)}…`,
      answered: (name) => `Used: ${words(name)}`,
      failed: (name) => `Failed: ${words(name)}`,
      refused: (name) => `Not allowed: ${words(name)}`,
    },
    toolQuestion: (name) => `May the assistant use “${words(name)}” on this page?`,
    allow: 'Allow',
    refuse: 'Don’t allow',
  },
  ar: {
    tools: {
      asked: (name) => `يطلب استخدام ${quoted(name)}`,
      running: (name) => `يستخدم ${quoted(name)}…`,
      answered: (name) => `استخدم ${quoted(name)}`,
      failed: (name) => `لم ينجح استخدام ${quoted(name)}`,
      refused: (name) => `لم يُسمح باستخدام ${quoted(name)}`,
    },
    toolQuestion: (name) => `هل تسمح للمساعد باستخدام ${quoted(name)} في هذه الصفحة؟`,
    allow: 'سماح',
    refuse: 'عدم السماح',
  },
};
