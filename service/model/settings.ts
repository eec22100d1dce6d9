/** Which language model answers, as the environment names it. */

export interface ModelSettings {
  /** Of an OpenAI-compatible API, up to and with its version: `https://api.example/v1`. */
  url: string;
  /** As the endpoint knows the model. */
  name: string;
  key?: string;
  /** Milliseconds without a sign of life after which the model counts as down; 20,000 unless told. */
  patience?: number;
}

/** Undefined when no model is named. @throws With a sentence when it is named by halves. */
export const modelFromEnvironment = (environment: Record<string, string | undefined>): ModelSettings | undefined => {
  const { WORKSPACE_MODEL_URL: url, WORKSPACE_MODEL_NAME: name, WORKSPACE_MODEL_KEY: key } = environment;
  if (!url && !name && !key) return undefined;
  if (!url || !name) throw new Error('Set both WORKSPACE_MODEL_URL and WORKSPACE_MODEL_NAME, or neither.');
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new Error(`WORKSPACE_MODEL_URL is not an http(s) URL: “${url}”.`);
  }
  return { url: url.replace(/\/+$/, ''), name, ...(key ? { key } : {}) };
};
