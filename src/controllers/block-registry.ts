/** The page's own renderers of blocks, by the type of block. */

/** What a renderer may know, and do, beyond its block. */
export interface BlockHost {
  readonly language: 'en' | 'ar';
  /** For `Intl`: the page's own tag, such as `ar-OM`. */
  readonly languageTag: string;
  readonly dir: 'ltr' | 'rtl';
  /** What the visitor has sent from this block; null while nothing was. */
  readonly submitted: string | null;
  /** Sends the visitor's answer, once. @returns False while a turn is under way, or when the page objects. */
  send(text: string): boolean;
}

/**
 * Draws a block. Called again when the language changes and when the block was answered.
 * @param block As the widget read it; one that the widget does not know, as it was sent.
 * @returns Null: the widget draws the block itself, as it does when the renderer throws.
 */
export type BlockRenderer = (block: { readonly type?: unknown }, host: BlockHost) => Node | string | null;

export class BlockRegistry {
  /** Replaced, never changed. */
  renderers: ReadonlyMap<string, BlockRenderer> = new Map();
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** A later renderer of the same type takes the earlier one's place. */
  register(type: string, renderer: BlockRenderer): () => void {
    this.#replace([...this.renderers, [type, renderer]]);
    return () => this.#replace([...this.renderers].filter((entry) => entry[1] !== renderer || entry[0] !== type));
  }

  #replace(entries: [string, BlockRenderer][]): void {
    this.renderers = new Map(entries);
    this.#onChange();
  }
}
