/** A yes or no that goes along from page to page of one tab. */
export class TabFlag {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  get(): boolean {
    try {
      return sessionStorage.getItem(this.#name) !== null;
    } catch {
      // Storage is blocked: each page begins anew.
      return false;
    }
  }

  set(isOn: boolean): void {
    try {
      if (isOn) sessionStorage.setItem(this.#name, '1');
      else sessionStorage.removeItem(this.#name);
    } catch {
      // As above.
    }
  }
}
