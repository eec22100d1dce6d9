/** The URL gate: every link that the widget creates from text passes through it. */
import { parseUrl } from '../api/url.ts';
import { usableUrl } from '../api/usable-url.ts';

const allowedPattern = /^(?:https?:\/\/|mailto:|tel:[\d+ -]+$)/i;
// oxlint-disable-next-line no-control-regex
const controlPattern = /[\u0000-\u001f\u007f-\u009f]/;

/** Loopback, link-local and private hosts, as `URL` writes them. Only the visitor's own network can resolve them. */
const privatePattern =
  /^(?:(?:.*\.)?(?:localhost|local|internal)\.?|(?:(?:0|10|127)\.\d+|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.\d+\.\d+|\[(?:::1?|::ffff:.*|f[cd]\w\w:.*|fe[89ab]\w:.*)\])$/;

/** The headers of a mail that a link may set. Others could add recipients, a text or an attachment. */
const mailHeaderPattern = /^(?:to|subject)=/i;

/**
 * Returns the absolute URL of `text` as a browser parses it, or null when it must not become a link.
 *
 * Allowed schemes are https, http, mailto and tel. Rejected are relative references, user names and passwords, control
 * characters, which browsers remove, so that they can hide a scheme, telephone numbers with the codes of a network's
 * services, and hosts of the visitor's own network.
 * @param page The host of the page. A page of the own network, such as one in development, may link to that network.
 */
export const safeUrl = (text: string, page = globalThis.location?.hostname ?? ''): string | null => {
  const address = text.trim();
  if (controlPattern.test(text) || !allowedPattern.test(address)) return null;
  const url = parseUrl(address);
  if (!url || url.username || url.password || (privatePattern.test(url.hostname) && !privatePattern.test(page)))
    return null;
  if (url.protocol === 'mailto:') {
    // An encoded line ending would start another header.
    if (/%0[ad]/i.test(address)) return null;
    const headers = url.search.slice(1).split('&');
    url.search = headers.filter((header) => mailHeaderPattern.test(header)).join('&');
  }
  return url.href;
};

/**
 * Returns the absolute URL of a link that the page sets, which may be relative to the page, or null. See `usableUrl`.
 * @param name The attribute or string.
 */
export const pageUrl = (name: string, text: unknown): string | null =>
  usableUrl(name, text, (url) => {
    const address = parseUrl(url, document.baseURI);
    return address && safeUrl(address.href);
  });

/** Whether a list of hosts, separated by spaces, contains the URL's host. A host may have letters of any script. */
export const isOneOf = (hosts: string, url: string): boolean =>
  hosts.split(/\s+/).some((host) => parseUrl(`https://${host}`)?.host === new URL(url).host);

/**
 * Returns the image's URL if its host is one of `hosts`, or null. Any other host would learn that somebody reads this.
 */
export const trustedImage = (url: string | undefined, hosts: string): string | null => {
  const address = url ? safeUrl(url) : null;
  return address?.startsWith('https:') && isOneOf(hosts, address) ? address : null;
};

// Lookbehind, so that a long word does not cost quadratic time.
const namePattern = /(?<![\p{L}\p{N}.-])(?:[\p{L}\p{N}-]+\.)+(?!(?:pdf|docx?|xlsx?|pptx?|txt|csv|html?)\b)\p{L}{2,}/giu;
const visiblePattern = /[^\p{Z}\p{C}\p{DI}\u2800]/u;

// A host may have characters that look like the slash behind it: a text with one of these is not taken for an address.
const addressPattern = /^(?:https?:\/\/)?([\p{L}\p{N}.-]+)(?::\d+)?(?:[/?#][^\s\p{C}]*)?$/iu;

/** Whether the text is an address of the host. Its path may look like the name of another one: `/index.php`. */
const isAddressOf = (text: string, host: string): boolean => {
  const named = addressPattern.exec(text)?.[1];
  return named !== undefined && parseUrl(`http://${named}`)?.hostname === host;
};

/** Whether the text names a host that is neither `host`, nor above or below it. */
const namesOther = (text: string, host: string): boolean =>
  !isAddressOf(text, host) &&
  (text.match(namePattern) ?? []).some((name) => {
    const named = parseUrl(`http://${name}`)?.hostname;
    if (named === undefined) return true;
    return !`.${host}`.endsWith(`.${named}`) && !`.${named}`.endsWith(`.${host}`);
  });

/** Returns the hosts of a mail's recipients. Some programs take a semicolon or an encoded comma for what separates two of them. */
const mailHosts = (url: string): string[] => {
  const recipients = url.replace(/[?&]subject=[^&]*/gi, '').replaceAll('&', ',');
  const decoded = new URLSearchParams(`=${recipients}`).get('')!;
  return [...decoded.matchAll(/@([^@,;?]+)/g)].map(([, host]) => parseUrl(`http://${host}`)?.hostname ?? host!);
};

/**
 * Returns what to show beside a link, or null: the host of a link whose text is invisible or names another host, and of a
 * link to a host that is not one of `hosts`, if there are any.
 * @param url A URL that has passed the gate.
 */
export const hostToShow = (text: string, url: string, hosts: string): string | null => {
  const { hostname, pathname } = new URL(url);
  // A telephone number has no host.
  const [named = pathname, ...others] = hostname ? [hostname] : mailHosts(url);
  const other = [named, ...others].find((host) => namesOther(text, host));
  const isExternal = hostname !== '' && hosts !== '' && !isOneOf(hosts, url);
  return other ?? (isExternal || !visiblePattern.test(text) ? named : null);
};
