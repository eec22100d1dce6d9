/** The rules for the URL of an outbound request that need no lookup of its host. */

export type UrlProblem = 'url_not_https' | 'url_userinfo' | 'url_port';

/** @param allowLoopback For development: allows any port of this machine, also over http. */
export const urlProblem = (url: URL, allowLoopback: boolean): UrlProblem | undefined => {
  const isOwnMachine = allowLoopback && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol !== 'https:' && !(isOwnMachine && url.protocol === 'http:')) return 'url_not_https';
  if (url.username !== '' || url.password !== '') return 'url_userinfo';
  if (!['', '443', '8443'].includes(url.port) && !isOwnMachine) return 'url_port';
  return undefined;
};
