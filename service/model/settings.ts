/** The settings of the language model and of the model for embeddings, as the environment variables define them. */

export interface ModelSettings {
  /** The base URL of an OpenAI-compatible API, including its version: `https://api.example/v1`. */
  url: string;
  /** The model's name at the endpoint. */
  name: string;
  key?: string;
  /** Milliseconds without data after which a request fails. The default is 20,000. */
  timeoutMs?: number;
}

/** A model for embeddings, which finds passages by their meaning. */
export interface EmbeddingSettings {
  /** The base URL of an OpenAI-compatible API, including its version. */
  url: string;
  name: string;
  key?: string;
  /** A passage with at least this cosine similarity to a question replies to it. */
  minSimilarity: number;
  /** Milliseconds after which a question is searched without its vector. The default is 1,500. */
  questionTimeoutMs?: number;
}

export const defaultMinSimilarity = 0.5;

interface ModelConfiguration {
  model: ModelSettings | undefined;
  embeddings: EmbeddingSettings | undefined;
}

/**
 * Both models are at the same endpoint. Each of them is undefined when its name is not set.
 * @throws {Error} With a message for the terminal when the settings are incomplete or not valid.
 */
export const modelsFromEnvironment = (environment: Record<string, string | undefined>): ModelConfiguration => {
  const { WORKSPACE_MODEL_URL: url, WORKSPACE_MODEL_NAME: name, WORKSPACE_MODEL_KEY: key } = environment;
  const { WORKSPACE_EMBEDDING_MODEL: embeddingName, WORKSPACE_EMBEDDING_MIN_SIMILARITY: similarity } = environment;
  if (!url && !name && !key && !embeddingName) return { model: undefined, embeddings: undefined };
  if (!url || !(name || embeddingName)) {
    throw new Error(
      'Set both WORKSPACE_MODEL_URL and WORKSPACE_MODEL_NAME (or WORKSPACE_EMBEDDING_MODEL), or neither.',
    );
  }
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new Error(`WORKSPACE_MODEL_URL is not an http(s) URL: “${url}”.`);
  }
  const endpoint = { url: url.replace(/\/+$/, ''), ...(key ? { key } : {}) };
  const minSimilarity = Number(similarity || defaultMinSimilarity);
  return {
    model: name ? { ...endpoint, name } : undefined,
    embeddings: embeddingName ? { ...endpoint, name: embeddingName, minSimilarity } : undefined,
  };
};
