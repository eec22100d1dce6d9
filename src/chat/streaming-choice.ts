/** Decides whether the next turn streams. After a stream that was cut, more and more turns use the plain call. */
export class StreamingChoice {
  #plainTurns = 0;
  #nextPenalty = 1;

  /** Returns whether this turn uses the plain call, and counts the turn. */
  usePlainCall(): boolean {
    if (this.#plainTurns === 0) return false;
    this.#plainTurns--;
    return true;
  }

  /** Records a stream that was cut, or never delivered a byte. */
  recordFailure(): void {
    this.#plainTurns = this.#nextPenalty;
    this.#nextPenalty = Math.min(this.#nextPenalty * 2, 16);
  }

  recordSuccess(): void {
    this.#nextPenalty = 1;
  }
}
