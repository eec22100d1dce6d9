/** Task items (GFM): the box at the beginning of a list item's text. */

const TASK = /^\[([ xX])\][ \t\n]+(?=\S)/;

/** Whether the task is done and the text after its box; null when `text` begins with none. */
export function taskOf(text: string): { done: boolean; text: string } | null {
  const match = TASK.exec(text);
  return match && { done: match[1] !== ' ', text: text.slice(match[0].length) };
}
