/** The states of the theme that can be restored with Undo. */
import type { Theme } from './theme-text.ts';

export class ThemeHistory {
  #past: Theme[] = [];
  #current: Theme;
  #lastCause = '';

  constructor(theme: Theme) {
    this.#current = theme;
  }

  get current(): Theme {
    return this.#current;
  }

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  /** @param cause Consecutive changes with the same cause are undone together, such as the drag of a color picker. */
  set(theme: Theme, cause: string): void {
    if (cause !== this.#lastCause) this.#past.push(this.#current);
    this.#lastCause = cause;
    this.#current = theme;
  }

  undo(): void {
    this.#current = this.#past.pop() ?? this.#current;
    this.#lastCause = '';
  }
}
