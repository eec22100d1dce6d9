/** Task items (GFM): the box at the beginning of a list item's text. */
import type { Heading, Paragraph } from './syntax-tree.ts';

const taskPattern = /^\[([ xX])\][ \t\n]+(?=\S)/;

/** Whether a block is a task that is done, null when it is none, and its text without the box. */
export const taskOf = (block: Paragraph | Heading): { done: boolean | null; text: string } => {
  const { parent, text } = block;
  const match = parent.type === 'item' && parent.children[0] === block ? taskPattern.exec(text) : null;
  return match ? { done: match[1] !== ' ', text: text.slice(match[0].length) } : { done: null, text };
};
