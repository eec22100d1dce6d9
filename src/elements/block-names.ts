/** Names the blocks of a reply for screen readers: “Form, 6 fields”. */
import type { Block } from '../../contract/wire.ts';
import { localize } from '../blocks/block-context.ts';
import type { ViewState } from '../controllers/chat-context.ts';
import { countedText } from '../locale/counted-text.ts';

/** Returns the name of a block, or an empty string for one of an unknown type. */
export const blockName = (block: Block, view: ViewState): string => {
  if (block.type === 'unknown') return '';
  if (block.type === 'status_card') return `${localize(block.title, { view })}: ${localize(block.status, { view })}`;
  // Each of these blocks has one list: of fields, options, times, items or links.
  const entries: unknown[] = Object.values(block).find(Array.isArray) ?? [];
  return countedText(view.strings.blockNames[block.type], view.pluralRule, entries.length);
};
