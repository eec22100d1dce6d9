/** Reads from the `Referer` header the page on which a conversation started, and the campaign of the visit. */
import type { Utm } from '../db/tables/columns.ts';
import { shortened } from '../../contract/characters.ts';

const utmNames = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const;
const maxUtmLength = 500;
const maxUrlLength = 1000;

export interface VisitOrigin {
  /** Scheme, host and path. The query is left out, because it may contain private data. */
  pageUrl: string | null;
  utm: Utm;
}

export const visitOrigin = (referer: string | undefined): VisitOrigin => {
  if (!referer || !URL.canParse(referer)) return { pageUrl: null, utm: {} };
  const { protocol, origin, pathname, searchParams } = new URL(referer);
  if (protocol !== 'https:' && protocol !== 'http:') return { pageUrl: null, utm: {} };
  const utm = utmNames.flatMap((name) => {
    const value = shortened(searchParams.get(name)?.replaceAll('\0', '') ?? '', maxUtmLength);
    return value ? [[name, value] as const] : [];
  });
  return { pageUrl: `${origin}${pathname}`.slice(0, maxUrlLength), utm: Object.fromEntries(utm) };
};
