/** The websites that an agent's widget works on: normalized, limited to some changes an hour, and audited. */
import { and, asc, eq, gt } from 'drizzle-orm';
import type { Agent } from './records.ts';
import type { Db } from './database.ts';
import { recordChange, type Author } from './audit.ts';
import { auditEntries } from './schema.ts';
import { ApiError, invalid } from '../core/errors.ts';

const maxChangesPerHour = 20;
const hour = 60 * 60 * 1000;

/** `Shop.Example/path` becomes `https://shop.example`. International domain names become Punycode. */
export const normalizeOrigins = (origins: string[]): string[] => {
  const normalized = origins.map((text, at) => {
    const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text.trim()) ? text.trim() : `https://${text.trim()}`;
    const url = URL.canParse(address) ? new URL(address) : undefined;
    const isSite =
      url && /^https?:$/.test(url.protocol) && url.username === '' && /^(\[|[^.]+\.|localhost$)/.test(url.hostname);
    if (!isSite || url.hostname.includes('*')) {
      throw invalid(
        `allowed_origins.${at}`,
        'invalid_origin',
        'Not the address of a website, such as https://www.example.com.',
      );
    }
    return url.origin;
  });
  return [...new Set(normalized)];
};

/** @throws {ApiError} `rate_limited` after too many changes in an hour. */
export const auditOriginChange = async (
  tx: Db,
  by: Author,
  agent: Agent,
  after: string[],
  now: number,
): Promise<void> => {
  if (JSON.stringify(agent.allowedOrigins) === JSON.stringify(after)) return;
  const action = 'agent.origins_changed';
  const recent = await tx
    .select({ createdAt: auditEntries.createdAt })
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.action, action),
        eq(auditEntries.target, agent.id),
        gt(auditEntries.createdAt, new Date(now - hour)),
      ),
    )
    .orderBy(asc(auditEntries.createdAt));
  if (recent.length >= maxChangesPerHour) {
    const oldest = recent[recent.length - maxChangesPerHour]!.createdAt.getTime();
    throw new ApiError('rate_limited', { retryAfter: Math.ceil((oldest + hour - now) / 1000) });
  }
  const detail = { before: agent.allowedOrigins, after };
  await recordChange(tx, by, { action, target: agent.id, detail }, new Date(now));
};
