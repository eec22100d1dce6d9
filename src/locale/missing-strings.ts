/** Finds the strings that a registered language lacks. */
import type { LocaleDefinition } from './locale-definition.ts';
import { isTable, type Strings } from './strings.ts';

/**
 * Returns the keys of the strings that are shown in English, those of tables as `table.key`.
 * @param english All strings in English.
 */
export const missingStrings = ({ strings }: LocaleDefinition, english: Strings): string[] => {
  const own: Record<string, unknown> = { ...strings };
  return Object.entries(english).flatMap(([key, value]) => {
    if (own[key] === undefined) return [key];
    if (!isTable(value)) return [];
    const table = Object(own[key]) as Record<string, unknown>;
    return Object.keys(value)
      .filter((name) => table[name] === undefined)
      .map((name) => `${key}.${name}`);
  });
};
