/** A journal of changes that can be reverted, to try a line before it is complete. */
export class Journal {
  #undo: (() => void)[] | null = null;

  /** Whether changes are being recorded. */
  get recording(): boolean {
    return this.#undo !== null;
  }

  record(): void {
    this.#undo = [];
  }

  rollback(): void {
    for (const undo of this.#undo?.toReversed() ?? []) undo();
    this.#undo = null;
  }

  set<Target, Key extends keyof Target>(target: Target, key: Key, value: Target[Key]): void {
    const old = target[key];
    if (old === value) return;
    target[key] = value;
    this.#undo?.push(() => {
      target[key] = old;
    });
  }

  push<Item>(list: Item[], item: Item): void {
    list.push(item);
    this.#undo?.push(() => {
      list.pop();
    });
  }

  pop(list: unknown[]): void {
    const last = list.pop();
    this.#undo?.push(() => {
      list.push(last);
    });
  }
}
