/** Names the blocks of a reply for screen readers: “Form, 6 fields”. */
import type { Block } from '../../contract/wire.ts';
import { localise } from '../blocks/block-context.ts';
import type { ViewState } from '../controllers/chat-context.ts';
import { countedText } from '../locale/counted-text.ts';

/** The list of a block whose entries are counted. */
const entriesOf = (block: Exclude<Block, { type: 'status_card' | 'unknown' }>): readonly unknown[] => {
  switch (block.type) {
    case 'form':
      return block.fields;
    case 'options':
      return block.options;
    case 'open_times':
      return block.times;
    case 'products':
      return block.items;
    case 'links':
      return block.links;
  }
};

/** Returns the name of a block, or an empty string for one of an unknown type. */
export const blockName = (block: Block, view: ViewState): string => {
  if (block.type === 'unknown') return '';
  if (block.type === 'status_card') return `${localise(block.title, { view })}: ${localise(block.status, { view })}`;
  return countedText(view.strings.blockNames[block.type], view.pluralRule, entriesOf(block).length);
};
