/** The settings of the language model, as the environment variables define them. */

export interface ModelSettings {
  /** The base URL of an OpenAI-compatible API, including its version: `https://api.example/v1`. */
  url: string;
  /** The model's name at the endpoint. */
  name: string;
  key?: string;
  /** Milliseconds without data after which a request fails. The default is 20,000. */
  timeoutMs?: number;
}

/**
 * Returns undefined when no variable is set.
 * @throws {Error} With a message for the terminal when the settings are incomplete or not valid.
 */
export const modelFromEnvironment = (environment: Record<string, string | undefined>): ModelSettings | undefined => {
  const { WORKSPACE_MODEL_URL: url, WORKSPACE_MODEL_NAME: name, WORKSPACE_MODEL_KEY: key } = environment;
  if (!url && !name && !key) return undefined;
  if (!url || !name) throw new Error('Set both WORKSPACE_MODEL_URL and WORKSPACE_MODEL_NAME, or neither.');
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new Error(`WORKSPACE_MODEL_URL is not an http(s) URL: “${url}”.`);
  }
  return { url: url.replace(/\/+$/, ''), name, ...(key ? { key } : {}) };
};
