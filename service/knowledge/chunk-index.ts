/** The index of an agent's chunks in one language that a search reads: in memory, or in the database when it is large. */

/** What a search can find. */
export interface Found {
  kind: 'passage' | 'question' | 'action';
  title: string;
  body: string;
  sourceId: string | null;
  filename: string | null;
  url: string | null;
  actionId: string | null;
}

export interface Candidate extends Found {
  titleTerms: ReadonlySet<string>;
  bodyTerms: ReadonlySet<string>;
  /** The vector of the meaning, with a length of 1. */
  embedding: Float32Array | undefined;
}

export interface ChunkIndex {
  /** Counts all chunks. */
  count(): Promise<number>;
  /** Counts the chunks that contain one of the forms, for each list of forms. */
  countMatching(lists: string[][]): Promise<number[]>;
  /** Returns the chunks that contain the forms most often, at most `candidateLimit`. */
  candidates(forms: string[]): Promise<Candidate[]>;
  /** The chunks that have a vector. None when the index is in the database. */
  readonly embedded: readonly Candidate[];
}

export const candidateLimit = 80;
