/** A theme as text: as CSS that the user copies or pastes, and as the hash of a URL that can be shared. */
import { tokens } from './tokens.ts';

/** The values of the changed custom properties, by name without their prefix. */
export type Theme = ReadonlyMap<string, string>;

/** Whether a CSS property accepts a value. In the browser this is `CSS.supports`. */
export type Supports = (property: string, value: string) => boolean;

export interface ParsedTheme {
  theme: Theme;
  /** The declarations that were left out: unknown names, and values that are not valid. */
  rejected: string[];
}

const prefix = '--workspace-chat-';

/** Whether a value may be written into the style sheet. `CSS.supports` rejects anything that would end the declaration. */
export const isValid = (name: string, value: string, supports: Supports): boolean => {
  const token = tokens.find((each) => each.name === name);
  return token !== undefined && !/[;{}<]|url\(/i.test(value) && supports(token.property, value);
};

const keepValid = (entries: Iterable<readonly [string, string]>, supports: Supports): ParsedTheme => {
  const theme = new Map<string, string>();
  const rejected: string[] = [];
  for (const [name, value] of entries) {
    if (isValid(name, value, supports)) theme.set(name, value);
    else rejected.push(`${name}: ${value}`);
  }
  return { theme, rejected };
};

/** Reads the widget's custom properties from CSS. Other declarations are ignored. */
export const parseTheme = (css: string, supports: Supports): ParsedTheme => {
  const plain = css.replaceAll(/\/\*[^]*?\*\//g, '');
  const found = plain.matchAll(/--workspace-chat-([\w-]+)\s*:\s*([^;}]+)/g);
  return keepValid(
    [...found].map(([, name = '', value = '']) => [name, value.replaceAll(/\s+/g, ' ').trim()] as const),
    supports,
  );
};

export const declarationsOf = (theme: Theme): string =>
  [...theme].map(([name, value]) => `  ${prefix}${name}: ${value};`).join('\n');

export const toHash = (theme: Theme): string => `${new URLSearchParams([...theme])}`;

export const fromHash = (hash: string, supports: Supports): ParsedTheme =>
  keepValid(new URLSearchParams(hash.replace(/^#/, '')), supports);

/** Returns the values for light and for dark pages. They are the same unless the value is a `light-dark()` of two values. */
export const schemesOf = (value: string): [light: string, dark: string] => {
  const inside = /^light-dark\((.*)\)$/i.exec(value.trim())?.[1];
  if (inside === undefined) return [value, value];
  let depth = 0;
  for (let index = 0; index < inside.length; index++) {
    if (inside[index] === '(') depth++;
    if (inside[index] === ')') depth--;
    if (inside[index] === ',' && depth === 0) return [inside.slice(0, index).trim(), inside.slice(index + 1).trim()];
  }
  return [value, value];
};

export const fromSchemes = (light: string, dark: string): string =>
  light === dark ? light : `light-dark(${light}, ${dark})`;
