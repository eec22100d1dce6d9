/** The context in which a block is rendered and submitted. */
import { nothing } from 'lit';
import type { LocalizedText } from '../../contract/wire.ts';
import type { Submission } from '../chat/state/chat-event.ts';
import type { ViewState } from '../controllers/chat-context.ts';
import { textIn } from '../locale/strings.ts';
import { directionOf } from '../markdown/index.ts';

export interface BlockContext {
  /** See `formDraftKey`. */
  readonly key: string;
  readonly view: ViewState;
  /** The text that was submitted from the block, or null. */
  readonly submitted: string | null;
  /** Whether a turn is in progress, so that nothing can be sent. */
  readonly isBusy: boolean;
  /** Submits the block. Returns whether the text was sent: not during a turn, and not when the page rejects it. */
  submit(text: string, submission?: Submission): boolean;
  /** Returns false when the page handles the link itself. */
  openLink(url: string): boolean;
}

/** Returns the text in the widget's language, or else in the other one. */
export const localize = (text: LocalizedText | undefined, { view }: Pick<BlockContext, 'view'>): string =>
  textIn(text, view.language);

/** Returns the language of a text in another script than the widget's, as the value of `lang`. */
export const languageOf = (text: string, { view }: Pick<BlockContext, 'view'>): 'ar' | 'en' | typeof nothing => {
  const direction = directionOf(text);
  if (direction === null || direction === view.dir) return nothing;
  return direction === 'rtl' ? 'ar' : 'en';
};

/** Whether the choice is the submitted one, in either language. */
export const isSubmitted = (
  { view, submitted }: Pick<BlockContext, 'view' | 'submitted'>,
  textOf: (context: Pick<BlockContext, 'view'>) => string,
): boolean =>
  submitted !== null &&
  (['en', 'ar'] as const).some((language) => textOf({ view: { ...view, language } }) === submitted);

/** Reads an own property of a table, so that a key such as `constructor` does not find an inherited member. */
export const own = <Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
