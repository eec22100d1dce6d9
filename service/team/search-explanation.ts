/** The response form of what a search of the knowledge has found. */
import type { SearchExplanation } from '../core/search-explanation.ts';

export const serializeSearch = ({ rule, minScore, terms, passages }: SearchExplanation) => {
  return {
    rule,
    min_score: minScore,
    terms: terms.map(({ term, weight, isKnown }) => ({ term, weight, known: isKnown })),
    passages: passages.map(({ sourceId, isNear, isUsed, ...passage }) => ({
      ...passage,
      source_id: sourceId,
      near: isNear,
      used: isUsed,
    })),
  };
};
