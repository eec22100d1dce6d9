/** The page around an iframe as the app: only from, and only to, an origin that was allowed beforehand. */
import type { Transport } from './transport.ts';

/** The window, as far as it is needed. */
export interface FramedWindow {
  parent: { postMessage(json: string, targetOrigin: string): void };
  location: { ancestorOrigins?: ArrayLike<string> };
  document: { referrer: string };
}

const originOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).origin : null);

/** The transport to the page around this one; null when there is none, or it is not allowed, or not known yet. */
export const findParent = (
  page: FramedWindow,
  allowedOrigins: readonly string[],
  /** Where a message has come from already. */
  heardFrom: string | null,
): Transport | null => {
  if (page.parent === (page as unknown)) return null;
  const origin = heardFrom ?? page.location.ancestorOrigins?.[0] ?? originOf(page.document.referrer);
  // Where the browser does not say, a message to the wrong page would not be delivered.
  const target = origin === null && allowedOrigins.length === 1 ? allowedOrigins[0]! : origin;
  if (target === null || !allowedOrigins.includes(target)) return null;
  return { name: 'parent', post: (json) => page.parent.postMessage(json, target) };
};

/** Who posted a message event; null for nobody who has a say. */
export const senderOf = (
  { source, origin }: Pick<MessageEvent, 'source' | 'origin'>,
  page: FramedWindow,
  allowedOrigins: readonly string[],
): 'app' | 'page' | 'parent' | null => {
  const isFramed = page.parent !== (page as unknown);
  // An app's own event has neither; a window's always has an origin.
  if (source === null && origin === '') return isFramed ? null : 'app';
  if (source === (page as unknown)) return 'page';
  return isFramed && source === (page.parent as unknown) && allowedOrigins.includes(origin) ? 'parent' : null;
};
