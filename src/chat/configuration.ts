/** What the page must say before anything can be sent, and what is wrong with it. */
export type ConfigurationProblem =
  | 'base_url_missing'
  | 'base_url_invalid'
  | 'key_missing'
  | 'key_secret'
  | 'key_website'
  | 'key_unknown'
  | 'agent_missing';

export interface Configuration {
  baseUrl: string;
  publishableKey: string;
  agentId: string;
}

/** An absolute http(s) URL without a trailing slash, resolved against the page; null for anything else. */
export const resolveUrl = (url: string): string | null => {
  try {
    const { protocol, username, href } = new URL(url, document.baseURI);
    return /^https?:$/.test(protocol) && !username ? href.replace(/\/+$/, '') : null;
  } catch {
    return null;
  }
};

const keyProblem = (key: string): ConfigurationProblem | null => {
  if (!key) return 'key_missing';
  if (key.startsWith('svc_sk_')) return 'key_secret';
  if (key.startsWith('pk_')) return 'key_website';
  return key.startsWith('svc_pk_') ? null : 'key_unknown';
};

/** The configuration, ready to be used, or what keeps it from being one. */
export const checkConfiguration = ({
  baseUrl,
  publishableKey,
  agentId,
}: Configuration): Configuration | ConfigurationProblem => {
  if (!baseUrl) return 'base_url_missing';
  const url = resolveUrl(baseUrl);
  if (!url) return 'base_url_invalid';
  return keyProblem(publishableKey) ?? (agentId ? { baseUrl: url, publishableKey, agentId } : 'agent_missing');
};
