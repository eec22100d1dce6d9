/** What a visitor reads of a client tool. */
import type { ToolRun } from '../chat/state/state.ts';
import type { Language } from './language.ts';
import { formatWait } from './format.ts';
import { textIn, type Strings } from './strings.ts';

/** The part of a view that the texts need. */
interface TextView {
  readonly strings: Strings;
  readonly language: Language;
}

/** Returns what a visitor reads in place of a tool's name. */
export const toolTitle = ({ title }: Pick<ToolRun, 'title'>, { strings, language }: TextView): string =>
  textIn(title, language) || strings.untitledTool;

/** Returns the question of a consent prompt: the page's own or the standard one. */
export const consentQuestion = (run: Pick<ToolRun, 'title' | 'question'>, view: TextView): string =>
  run.question ?? view.strings.toolQuestion(toolTitle(run, view));

/** Returns the question of a consent prompt with its details, each on a line, as it is announced. */
export const consentAnnouncement = (run: ToolRun, view: TextView): string =>
  [
    consentQuestion(run, view),
    ...(run.values ?? []).map(([label, value]) => `${textIn(label, view.language)}: ${value}`),
  ].join('\n');

/** Returns how much time is left to reply to a question, as of now. */
export const timeLeftText = (
  { until = 0 }: Pick<ToolRun, 'until'>,
  { strings, languageTag }: Pick<TextView, 'strings'> & { readonly languageTag: string },
): string => strings.timeLeft(formatWait(Math.max(1, Math.ceil((until - performance.now()) / 1000)), languageTag));
