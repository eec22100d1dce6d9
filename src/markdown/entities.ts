/**
 * Decodes character references: all numeric ones, and all names that a browser knows. Those that are usual in prose
 * are here. The other 2,100 are in a file of their own, which is loaded with the first text that needs it.
 */

export type EntityNames = Readonly<Record<string, string>>;

const usual =
  'amp& lt< gt> quot" apos\' nbsp\u00a0 copy© reg® trade™ deg° euro€ pound£ times× middot· bull• hellip… ndash– mdash— lsquo‘ rsquo’ ldquo“ rdquo” laquo« raquo» zwnj\u200c zwj\u200d lrm\u200e rlm\u200f shy\u00ad';

export const commonEntities: Readonly<Record<string, string>> = Object.fromEntries(
  usual.split(' ').map((reference) => [reference.slice(0, -1), reference.slice(-1)]),
);

let allNames: EntityNames | null = null;
let loading: Promise<void> | null = null;
let request: () => Promise<EntityNames | null> = async () => null;

/** @param load Loads all names. The panel gives it: without it, the other names stay as they are written. */
export const loadEntitiesWith = (load: typeof request): void => {
  request = load;
};

const load = async (): Promise<void> => {
  // The next text with such a name tries again.
  allNames = await request().catch(() => null);
  loading = null;
};

/** Loads all names. */
export const loadAllEntities = (): Promise<void> => (loading ??= load());

/** Resolves when the names are loaded that a text needed. Null when no name is missing. */
export const missingEntities = (): Promise<void> | null => loading;

const named = (name: string): string | undefined => {
  const names: EntityNames = Object.hasOwn(commonEntities, name) ? commonEntities : (allNames ?? {});
  if (Object.hasOwn(names, name)) return names[name];
  if (!allNames) void loadAllEntities();
  return undefined;
};

const referencePattern = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]\w{0,30}));/gi;

/** Returns U+FFFD for no character, and for the overrides of the writing direction, which could disguise a text. */
const character = (code: number): string => {
  const isOverride = code === 0x202d || code === 0x202e;
  const valid = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) && !isOverride;
  return valid ? String.fromCodePoint(code) : '\ufffd';
};

/** Replaces the character references in `text`. */
export const decodeEntities = (text: string): string => {
  return text.replace(referencePattern, (written: string, decimal?: string, hexadecimal?: string, name?: string) =>
    name ? (named(name) ?? written) : character(decimal ? Number(decimal) : Number.parseInt(hexadecimal!, 16)),
  );
};
