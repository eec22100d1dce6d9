/** Names a URL that the page has set and that cannot be used. */
import { toJson } from './encoding.ts';

const reported = new Set<string>();

/**
 * Returns what `resolve` makes of a URL that the page has set. Null for one that cannot be used: the console names it once.
 * @param name The attribute or string.
 */
export const usableUrl = (name: string, value: unknown, resolve: (url: string) => string | null): string | null => {
  const url = typeof value === 'string' && value.trim() ? resolve(value.trim()) : null;
  const report = `workspace-chat: “${name}” needs a URL, such as https://shop.example/privacy, not ${toJson(value ?? null)}.`;
  if (!url && !reported.has(report)) console.error(report);
  reported.add(report);
  return url;
};
