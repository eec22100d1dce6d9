/** What a visitor reads of a client tool. */
import type { ToolRun } from '../chat/state/state.ts';
import type { Language } from './language.ts';
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
