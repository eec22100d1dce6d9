/** The interface of a model that turns texts into vectors, whose angle says how near their meanings are. */

export interface Embedder {
  /** The model's name. Vectors of different models cannot be compared. */
  readonly model: string;
  /** A passage with at least this cosine similarity to a question replies to it. It differs between models. */
  readonly minSimilarity: number;
  /** @throws {Error} When the endpoint fails or takes too long. */
  embedPassages(texts: string[], signal: AbortSignal): Promise<number[][]>;
  /** Returns undefined when the endpoint fails or takes too long, and for a while after that. */
  embedQuestion(text: string): Promise<Float32Array | undefined>;
}

/** Returns the vector with a length of 1. */
export const normalizedVector = (vector: ArrayLike<number>): Float32Array => {
  const values = Float32Array.from(vector);
  const length = Math.hypot(...values);
  return length === 0 ? values : values.map((value) => value / length);
};

/** The cosine of two vectors with a length of 1, or 0 when they have different dimensions. */
export const cosine = (one: Float32Array, other: Float32Array): number => {
  if (one.length !== other.length) return 0;
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += one[at]! * other[at]!;
  return sum;
};
