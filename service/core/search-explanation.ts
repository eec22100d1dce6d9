/** Why the agent gave a reply: what the search of the knowledge found, and the score that was required. For the team only. */

export interface SearchExplanation {
  /** Earlier versions have stored other rules. */
  rule: 'matching_terms' | 'near_meaning' | 'nothing_found';
  /** The score that the best passage needs. Null when nothing was found. */
  minScore: number | null;
  terms: { term: string; weight: number; isKnown: boolean }[];
  /** Those that the reply is made of, then the others, best first. */
  passages: {
    kind: 'passage' | 'question' | 'action';
    title: string;
    sourceId: string | null;
    filename: string | null;
    score: number;
    /** The terms of the question that match. */
    terms: string[];
    isNear: boolean;
    isUsed: boolean;
  }[];
}
