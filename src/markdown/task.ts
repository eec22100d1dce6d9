/** Parses GFM task items: the checkbox at the start of a list item. */
import { directionMarks } from '../../contract/characters.ts';
import type { Heading, Paragraph } from './syntax-tree.ts';

const taskPattern = new RegExp(`^([${directionMarks}]*)\\[([ xX])\\][ \\t\\n]+(?=\\S)`);

/** Returns the text without the checkbox, and whether the task is done. `done` is null when the block is no task. */
export const taskOf = (block: Paragraph | Heading): { done: boolean | null; text: string } => {
  const { parent, text } = block;
  const match = parent.type === 'item' && parent.children[0] === block ? taskPattern.exec(text) : null;
  return match ? { done: match[2] !== ' ', text: match[1]! + text.slice(match[0].length) } : { done: null, text };
};
