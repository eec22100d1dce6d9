/** Names what is wrong with a configuration. Loaded when it is not valid. */
import { isFilledIn, resolveUrl, trimConfiguration, type Configuration } from '../../chat/configuration.ts';

export type ConfigurationProblem =
  | 'base_url_missing'
  | 'base_url_quoted'
  | 'base_url_invalid'
  | 'key_missing'
  | 'key_secret'
  | 'key_website'
  | 'key_unknown'
  | 'key_quoted'
  | 'key_example'
  | 'agent_missing'
  | 'agent_quoted'
  | 'agent_example';

/** Whether a value has quotation marks at one of its ends, as a copy from code or from a text has. */
const isQuoted = (text: string): boolean => /^["'`\u00ab\u2018-\u201f]|["'`\u00bb\u2018-\u201f]$/.test(text);

const keyProblem = (key: string): ConfigurationProblem | null => {
  if (!key) return 'key_missing';
  // Also inside quotes or blanks: everybody who opens the page can read it.
  if (key.includes('svc_sk_')) return 'key_secret';
  if (/^\W*pk_/.test(key)) return 'key_website';
  if (isQuoted(key)) return 'key_quoted';
  if (!isFilledIn(key)) return 'key_example';
  return key.startsWith('svc_pk_') ? null : 'key_unknown';
};

/** Returns the first problem of a configuration, or null when it is valid. */
export const findProblem = (configuration: Configuration): ConfigurationProblem | null => {
  const { baseUrl, publishableKey, agentId } = trimConfiguration(configuration);
  if (!baseUrl) return 'base_url_missing';
  if (isQuoted(baseUrl)) return 'base_url_quoted';
  if (!resolveUrl(baseUrl)) return 'base_url_invalid';
  const ofKey = keyProblem(publishableKey);
  if (ofKey) return ofKey;
  if (!agentId) return 'agent_missing';
  if (isQuoted(agentId)) return 'agent_quoted';
  return isFilledIn(agentId) ? null : 'agent_example';
};
