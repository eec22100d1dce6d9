/** Checks the attributes of the page's chats, and those of the script tag: a misspelled one has no effect, nor an unknown value. */
import { attributeName } from '../../workspace-chat/attribute-name.ts';

/** The attributes that have a fixed list of values. */
export const choices: Readonly<Record<string, string>> = {
  mode: 'floating inline fullscreen',
  placement: 'end start',
  expand: 'auto off',
  enter: 'auto send newline',
  layer: 'top page',
  'color-scheme': 'auto light dark',
  storage: 'indexeddb memory',
  streaming: 'auto off',
};

/** The attributes of the script tag that the element does not have, with their types. */
const ofTag: [name: string, type: unknown][] = [
  ['only-on', String],
  ['not-on', String],
  ['delay', Number],
];

/** How Lit keeps the attributes of an element. */
type Declarations = ReadonlyMap<PropertyKey, { attribute?: string | boolean; type?: unknown }>;

/** Returns how many letters must change to make one name the other. */
const distance = (one: string, other: string): number => {
  let row = [0, ...other.split('').map((_, index) => index + 1)];
  for (const letter of one)
    row = row.reduce<number[]>((next, above, index) => {
      const before = next.at(-1);
      if (before === undefined) return [above + 1];
      const replaced = row[index - 1]! + Number(letter !== other[index - 1]);
      return [...next, Math.min(replaced, above + 1, before + 1)];
    }, []);
  return row.at(-1)!;
};

/** Whether a value is one of those that the attribute has. */
const isValid = (name: string, value: string, type: unknown): boolean => {
  if (type === Number) return Number.isFinite(Number(value));
  if (type === Boolean) return !/^(?:false|no|off|0)$/i.test(value.trim());
  return !choices[name] || choices[name].split(' ').includes(value.trim());
};

/**
 * Returns the attributes that mean nothing, such as `mode="popup"` or `headings (heading?)`, and those that are on although they say
 * no. A name that is not like one of the chat's belongs to somebody else.
 */
export const findInvalidAttributes = (
  attributes: readonly (readonly [name: string, value: string])[],
  declarations: Declarations,
): string[] => {
  const declared = [...declarations].flatMap(([property, { attribute, type }]) =>
    attribute === false ? [] : [[String(attribute ?? property).toLowerCase(), type] as const],
  );
  const types = new Map<string, unknown>([...declared, ...ofTag]);
  const found = attributes.flatMap(([name, value]) => {
    if (types.has(name)) return isValid(name, value, types.get(name)) ? [] : [`${name}="${value}"`];
    const meant = [...types.keys()].find((known) => distance(name, known) <= (name.length > 7 ? 2 : 1));
    return meant === undefined ? [] : [`${name} (${meant}?)`];
  });
  return [...new Set(found)];
};

/** @param options The options of a script tag, of which a boolean may be "false", or an element. */
export const readInvalidAttributes = (options: object, chats: Iterable<Element>): string[] => {
  const element = customElements.get('workspace-chat') as { elementProperties?: Declarations } | undefined;
  const written = [...chats].flatMap((chat) => [...chat.attributes].map(({ name, value }) => [name, value] as const));
  const ofOptions = options instanceof Element ? [] : Object.entries(options);
  const set = ofOptions.flatMap(([name, value]: [string, unknown]) =>
    (typeof value === 'string' && value !== 'false') || typeof value === 'number'
      ? [[attributeName(name), `${value}`] as const]
      : [],
  );
  return findInvalidAttributes([...written, ...set], element?.elementProperties ?? new Map());
};
