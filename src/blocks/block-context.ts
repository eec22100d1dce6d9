/** What a block is drawn with, and how it answers. */
import type { FormBlock, LocalisedText } from '../../contract/wire.ts';
import type { FormDraft } from '../chat/state/state.ts';
import type { ViewState } from '../controllers/chat-context.ts';

export interface BlockContext {
  /** See `formDraftKey`. */
  readonly key: string;
  readonly view: ViewState;
  /** What was sent from the block; null while nothing was. */
  readonly submitted: string | null;
  /** A turn is under way: nothing can be sent. */
  readonly isBusy: boolean;
  /** Sends the visitor's answer. False when it was not: a turn is under way, or the page objects. */
  submit(text: string, form?: { block: FormBlock; data: FormDraft }): boolean;
  /** False when the page takes care of the link. */
  openLink(url: string): boolean;
}

/** The text in the widget's language, or in the one there is. */
export const localise = (text: LocalisedText | undefined, { view }: Pick<BlockContext, 'view'>): string => {
  if (typeof text !== 'object') return text ?? '';
  return text[view.dir === 'rtl' ? 'ar' : 'en'] ?? text.en ?? text.ar ?? '';
};

/** Whether the choice is the one that was sent, in whichever language that was. */
export const isSubmitted = (
  { view, submitted }: Pick<BlockContext, 'view' | 'submitted'>,
  textOf: (context: Pick<BlockContext, 'view'>) => string,
): boolean =>
  submitted !== null && (['ltr', 'rtl'] as const).some((dir) => textOf({ view: { ...view, dir } }) === submitted);

/** A table's own entry: the service's words must not find what every object inherits. */
export const own = <Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
