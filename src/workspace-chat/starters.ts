/** The page's starters: a JSON array in the attribute, or an array in the property. */
import type { WorkspaceChatProperties } from './properties.ts';

/** Returns the starters as texts, or null without a list. The same list gives the same result. */
export const startersOf = ({ starters }: WorkspaceChatProperties): readonly string[] | null => {
  if (!Array.isArray(starters)) return null;
  return starters.every((starter) => typeof starter === 'string') ? starters : starters.map(String);
};
