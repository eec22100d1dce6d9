/** The index of an agent's chunks in one language that a search reads: in memory, or in the database when it is large. */

export interface Candidate {
  kind: 'passage' | 'question' | 'action';
  title: string;
  body: string;
  titleTerms: ReadonlySet<string>;
  bodyTerms: ReadonlySet<string>;
  sourceId: string | null;
  filename: string | null;
  url: string | null;
  actionId: string | null;
}

export interface ChunkIndex {
  /** Counts all chunks. */
  count(): Promise<number>;
  /** Counts the chunks that contain one of the forms, for each list of forms. */
  countMatching(lists: string[][]): Promise<number[]>;
  /** Returns the chunks that contain the forms most often, at most `candidateLimit`. */
  candidates(forms: string[]): Promise<Candidate[]>;
}

export const candidateLimit = 80;
