/** Whether a page can reach the service at all. */

/** Browsers treat loopback addresses as secure, whatever the scheme. */
export const isLoopback = ({ hostname }: URL): boolean =>
  /^(.+\.)?localhost$|^127\.\d+\.\d+\.\d+$|^\[::1\]$/.test(hostname);

/** Whether the browser blocks requests to the service, because only the page uses https. */
export const isMixedContent = (page: URL, service: URL): boolean =>
  page.protocol === 'https:' && service.protocol === 'http:' && !isLoopback(service);

/** Whether the host is one of the names that are reserved for examples (RFC 2606). The docs use them. */
export const isExampleHost = ({ hostname }: URL): boolean => /(^|\.)example(\.(com|net|org))?$/.test(hostname);

export interface ReachTarget {
  baseUrl: string;
  fetch: typeof fetch;
  /** The timeout of the request in milliseconds. */
  timeout: number;
}

/** Whether anything responds at this URL, even if the page cannot read it. */
export const isReached = async ({ fetch, baseUrl, timeout }: ReachTarget): Promise<boolean> => {
  try {
    await fetch(`${baseUrl}/me`, {
      mode: 'no-cors',
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(timeout),
    });
    return true;
  } catch {
    return false;
  }
};
