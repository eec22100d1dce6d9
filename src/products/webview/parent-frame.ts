/** The transport to the page around an iframe. It sends to allowed origins only, and receives from them only. */
import { parseUrl } from '../../api/url.ts';
import type { Transport } from './transport.ts';

/** The part of the window that is used. */
export interface FramedWindow {
  parent: { postMessage(json: string, targetOrigin: string): void };
  location: { ancestorOrigins?: ArrayLike<string> };
  document: { referrer: string };
}

const originOf = (url: string): string | null => parseUrl(url)?.origin ?? null;

/** Returns the transport to the parent page, or null when there is none, or its origin is not allowed or not known yet. */
export const findParent = (
  page: FramedWindow,
  allowedOrigins: readonly string[],
  /** The origin of an earlier message. */
  heardFrom: string | null,
): Transport | null => {
  if (page.parent === (page as unknown)) return null;
  const origin = heardFrom ?? page.location.ancestorOrigins?.[0] ?? originOf(page.document.referrer);
  // Browsers without ancestorOrigins do not deliver a message to a page of another origin.
  const target = origin === null && allowedOrigins.length === 1 ? allowedOrigins[0]! : origin;
  if (target === null || !allowedOrigins.includes(target)) return null;
  return { name: 'parent', post: (json) => page.parent.postMessage(json, target) };
};

/** Returns the origin of a message event, or null when the sender is not allowed. */
export const senderOf = (
  { source, origin }: Pick<MessageEvent, 'source' | 'origin'>,
  page: FramedWindow,
  allowedOrigins: readonly string[],
): 'app' | 'page' | 'parent' | null => {
  const isFramed = page.parent !== (page as unknown);
  // An app's own event has neither source nor origin. A window's message always has an origin.
  if (source === null && origin === '') return isFramed ? null : 'app';
  if (source === (page as unknown)) return 'page';
  return isFramed && source === (page.parent as unknown) && allowedOrigins.includes(origin) ? 'parent' : null;
};
