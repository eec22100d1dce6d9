/** Names what is wrong with a configuration. Loaded when it is not valid. */
import { isFilledIn, resolveUrl, type Configuration } from '../../chat/configuration.ts';

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

const keyProblem = (key: string): ConfigurationProblem | null => {
  if (!key) return 'key_missing';
  // Also inside quotes or blanks: everybody who opens the page can read it.
  if (key.includes('svc_sk_')) return 'key_secret';
  if (/^\W*pk_/.test(key)) return 'key_website';
  if (!isFilledIn(key)) return 'key_example';
  return key.startsWith('svc_pk_') ? null : 'key_unknown';
};

/** Returns the first problem of a configuration, or null when it is valid. */
export const findProblem = ({ baseUrl, publishableKey, agentId }: Configuration): ConfigurationProblem | null => {
  if (!baseUrl) return 'base_url_missing';
  if (!resolveUrl(baseUrl)) return 'base_url_invalid';
  const ofKey = keyProblem(publishableKey);
  if (ofKey) return ofKey;
  if (!agentId) return 'agent_missing';
  return isFilledIn(agentId) ? null : 'agent_example';
};
