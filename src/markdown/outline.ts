/** Numbers the headings of a message so that none is more than one level below the one before it, as assistive technology expects. */
import type { Journal } from './journal.ts';
import type { Heading } from './syntax-tree.ts';

export class Outline {
  readonly #journal: Journal;
  readonly #last = { highest: 0, rank: 0 };

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** Creates the next heading. Its rank is 1 for the first heading, whatever its level is. */
  heading(level: number, text: string): Pick<Heading, 'type' | 'level' | 'rank' | 'text'> {
    const { highest, rank: previous } = this.#last;
    const rank = Math.max(1, Math.min(level - (highest || level) + 1, previous + 1));
    this.#journal.set(this.#last, 'highest', highest || level);
    this.#journal.set(this.#last, 'rank', rank);
    return { type: 'heading', level, rank, text };
  }
}
