/** The configuration that a chat needs, and the problems that prevent it from starting. */
export type ConfigurationProblem =
  | 'base_url_missing'
  | 'base_url_invalid'
  | 'key_missing'
  | 'key_secret'
  | 'key_website'
  | 'key_unknown'
  | 'key_example'
  | 'agent_missing'
  | 'agent_example';

export interface Configuration {
  baseUrl: string;
  publishableKey: string;
  agentId: string;
}

/** Resolves an http(s) URL against the page, without a trailing slash. Returns null for any other URL. */
export const resolveUrl = (url: string): string | null => {
  try {
    const { protocol, username, href } = new URL(url, document.baseURI);
    return /^https?:$/.test(protocol) && !username ? href.replace(/\/+$/, '') : null;
  } catch {
    return null;
  }
};

/** Matches the examples of the docs and what is left of them: an ellipsis, quotes, spaces, brackets, `YOUR_KEY`. */
const examplePattern = /[^\w-]|^your|YOUR_|_HERE/;

const keyProblem = (key: string): ConfigurationProblem | null => {
  if (!key) return 'key_missing';
  if (key.startsWith('svc_sk_')) return 'key_secret';
  if (key.startsWith('pk_')) return 'key_website';
  if (examplePattern.test(key)) return 'key_example';
  return key.startsWith('svc_pk_') ? null : 'key_unknown';
};

const agentProblem = (id: string): ConfigurationProblem | null => {
  if (!id) return 'agent_missing';
  return examplePattern.test(id) ? 'agent_example' : null;
};

/** Returns the valid configuration, or the first problem in it. */
export const checkConfiguration = ({
  baseUrl,
  publishableKey,
  agentId,
}: Configuration): Configuration | ConfigurationProblem => {
  if (!baseUrl) return 'base_url_missing';
  const url = resolveUrl(baseUrl);
  if (!url) return 'base_url_invalid';
  return keyProblem(publishableKey) ?? agentProblem(agentId) ?? { baseUrl: url, publishableKey, agentId };
};
