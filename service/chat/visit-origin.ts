/** Where a conversation was started, from the `Referer` that a browser sends along: as much as the page lets it tell. */
import type { Utm } from '../db/tables/columns.ts';

const told = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const;
const longest = 500;

export interface VisitOrigin {
  /** Scheme, host and path: a query may hold what is nobody's business. */
  pageUrl: string | null;
  utm: Utm;
}

export const visitOrigin = (referer: string | undefined): VisitOrigin => {
  if (!referer || !URL.canParse(referer)) return { pageUrl: null, utm: {} };
  const { protocol, origin, pathname, searchParams } = new URL(referer);
  if (protocol !== 'https:' && protocol !== 'http:') return { pageUrl: null, utm: {} };
  const utm = told.flatMap((name) => {
    const value = searchParams.get(name)?.replaceAll('\0', '').slice(0, longest);
    return value ? [[name, value] as const] : [];
  });
  return { pageUrl: `${origin}${pathname}`.slice(0, 2 * longest), utm: Object.fromEntries(utm) };
};
