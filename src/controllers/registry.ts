/** What the page has registered: block renderers by type, languages by tag. */
export class Registry<Value> {
  /** Replaced at each change, never modified. */
  entries: ReadonlyMap<string, Value> = new Map();
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Registers a value. A later value of the same name replaces it. Returns an unregister function. */
  register(name: string, value: Value): () => void {
    const replace = (entries: [string, Value][]): void => {
      this.entries = new Map(entries);
      this.#onChange();
    };
    replace([...this.entries, [name, value]]);
    return () => replace([...this.entries].filter((entry) => entry[1] !== value || entry[0] !== name));
  }
}
