/** The strings of client tools, in both languages. Loaded with the code that shows tools. */
import type { ToolRun } from '../chat/state/state.ts';
import { textIn, stringsFor, type LaterStrings, type ToolStrings } from './strings.ts';

// Isolated, because a title may be in the other language.
const quoted = (title: string) => `«\u2068${title}\u2069»`;

export const toolStrings: Record<'en' | 'ar', ToolStrings> = {
  en: {
    tools: {
      asked: (title) => `Asks to use: ${title}`,
      running: (title) => `Using: ${title}…`,
      answered: (title) => `Used: ${title}`,
      failed: (title) => `Failed: ${title}`,
      refused: (title) => `Not allowed: ${title}`,
    },
    toolQuestion: (title) => `May the assistant use “${title}” on this page?`,
    untitledTool: 'a feature of this page',
    allow: 'Allow',
    refuse: 'Don’t allow',
  },
  ar: {
    tools: {
      asked: (title) => `يطلب استخدام ${quoted(title)}`,
      running: (title) => `يستخدم ${quoted(title)}…`,
      answered: (title) => `استخدم ${quoted(title)}`,
      failed: (title) => `لم ينجح استخدام ${quoted(title)}`,
      refused: (title) => `لم يُسمح باستخدام ${quoted(title)}`,
    },
    toolQuestion: (title) => `هل تسمح للمساعد باستخدام ${quoted(title)} في هذه الصفحة؟`,
    untitledTool: 'إحدى ميزات هذه الصفحة',
    allow: 'سماح',
    refuse: 'عدم السماح',
  },
};

/** Returns what a visitor reads in place of a tool's name. */
export const toolTitle = ({ title }: Pick<ToolRun, 'title'>, view: LaterStrings): string =>
  textIn(title, view.language) || stringsFor(toolStrings, view).untitledTool;

/** Returns the question of a consent prompt: the page's own or the standard one. */
export const consentQuestion = (run: Pick<ToolRun, 'title' | 'question'>, view: LaterStrings): string =>
  run.question ?? stringsFor(toolStrings, view).toolQuestion(toolTitle(run, view));
