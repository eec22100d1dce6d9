/** A violated invariant. */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly invariant: string;
  readonly detail: string;
  /** The step after which it was found, or null when it was found at the end. */
  readonly step: number | null;

  constructor(invariant: string, detail: string, step: number | null) {
    super(`${invariant}: ${detail}`);
    this.invariant = invariant;
    this.detail = detail;
    this.step = step;
  }
}
