/** The configuration that a chat needs. */
export interface Configuration {
  baseUrl: string;
  publishableKey: string;
  agentId: string;
}

/** Removes spaces, line ends and invisible characters around a value, which copying and templates leave there. */
export const trimmed = (text: string): string => text.replaceAll(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, '');

/** Resolves an http(s) URL against the page, if there is one, without a trailing slash. Returns null for any other URL. */
export const resolveUrl = (url: string): string | null => {
  // In a path, the URL parser accepts quotes, the brackets of a template, and the ellipsis of the docs.
  if (/["'`\u00ab\u00bb\u2018-\u201f<>{}…]/.test(url)) return null;
  try {
    const { protocol, username, href } = new URL(trimmed(url), globalThis.document?.baseURI);
    return /^https?:$/.test(protocol) && !username ? href.replace(/\/+$/, '') : null;
  } catch {
    return null;
  }
};

/** Whether a key or an id is neither empty nor an example: an ellipsis, quotes, spaces, brackets, `YOUR_KEY`, `xxxx`. */
export const isFilledIn = (text: string): boolean =>
  /^[\w-]+$/.test(text) && !/^(svc_pk_|agt_)?(your|x{4,}$|$)|your_|_here/i.test(text);

/** An attribute that was removed is null. */
export const trimConfiguration = ({ baseUrl, publishableKey, agentId }: Configuration): Configuration => ({
  baseUrl: trimmed(baseUrl ?? ''),
  publishableKey: trimmed(publishableKey ?? ''),
  agentId: trimmed(agentId ?? ''),
});

/** Returns the valid configuration, or null. See `findProblem` for the reason. */
export const checkConfiguration = (configuration: Configuration): Configuration | null => {
  const { baseUrl, publishableKey, agentId } = trimConfiguration(configuration);
  const url = baseUrl && resolveUrl(baseUrl);
  const isValid = url && publishableKey.startsWith('svc_pk_') && isFilledIn(publishableKey) && isFilledIn(agentId);
  return isValid ? { baseUrl: url, publishableKey, agentId } : null;
};
