/** Decides whether the next turn streams: where streams get cut, plain calls come between, ever more of them. */
export class StreamingChoice {
  #plainTurns = 0;
  #nextPenalty = 1;

  /** Whether this turn uses the plain call; counts it. */
  takePlainTurn(): boolean {
    if (this.#plainTurns === 0) return false;
    this.#plainTurns--;
    return true;
  }

  /** A stream was cut, or never yielded a byte. */
  failed(): void {
    this.#plainTurns = this.#nextPenalty;
    this.#nextPenalty = Math.min(this.#nextPenalty * 2, 16);
  }

  succeeded(): void {
    this.#nextPenalty = 1;
  }
}
