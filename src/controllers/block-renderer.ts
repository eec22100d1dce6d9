/** The page's own block renderers, by block type. */

/** The context that a renderer receives with its block. */
export interface BlockHost {
  /** The language of the widget's own strings: English for a registered language. */
  readonly language: 'en' | 'ar';
  /** The page's BCP 47 tag, such as `ar-OM`, for `Intl`. */
  readonly languageTag: string;
  readonly dir: 'ltr' | 'rtl';
  /** The text that the visitor has submitted from this block, or null. */
  readonly submitted: string | null;
  /** Submits the block as the visitor's message, once. @returns False during a turn, or when the page rejects the text. */
  send(text: string): boolean;
}

/** The fields of a block. A model wrote those of an unknown type, so their types are unknown, too. */
export interface BlockFields {
  readonly type?: unknown;
  readonly [field: string]: unknown;
}

/**
 * Renders a block. Called again when the language changes and when the block was submitted.
 * @param block The decoded block. A block of an unknown type is passed as the service sent it.
 * @returns The content, or null for the built-in renderer, which is also used when this renderer throws.
 */
export type BlockRenderer = (block: BlockFields, host: BlockHost) => Node | string | null;
