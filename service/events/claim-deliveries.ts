/** Claims deliveries that are due in the database, with a lease, and within the limit of their endpoint. */
import { and, asc, count, eq, isNotNull, isNull, lte, min, or, sql, type InferSelectModel } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { isHolderDead } from '../db/processes.ts';
import { deliveries, webhookEndpoints } from '../db/schema.ts';

export type Delivery = InferSelectModel<typeof deliveries>;

/** Deliveries in flight of an endpoint, and of one whose last attempt failed, in all processes. */
const maxPerEndpoint = 8;
const maxPerFailingEndpoint = 1;
/** Endpoints of one claim, so that hundreds of failing ones do not delay the others. */
const maxEndpoints = 50;

/** Makes the deliveries of processes that have died free again, up to 1,000 at a time. */
export const releaseExpiredDeliveries = async (db: Db, at: Date): Promise<void> => {
  const isExpired = or(lte(deliveries.lockedUntil, at), isHolderDead(deliveries.holder));
  // The order makes PostgreSQL use the small index of the deliveries in flight, also without statistics of the table.
  const expired = db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(isNotNull(deliveries.holder), isExpired))
    .orderBy(deliveries.endpointId)
    .limit(1000);
  await db
    .update(deliveries)
    .set({ holder: null, lockedUntil: null })
    .where(and(sql`${deliveries.id} = any(array(${expired}))`, isExpired));
};

/** The endpoints that have a due delivery and room for one more in flight: the healthy ones first, then by their oldest delivery. */
export const findWaitingEndpoints = async (db: Db, at: Date): Promise<string[]> => {
  const { id, isFailing } = webhookEndpoints;
  const ofEndpoint = eq(deliveries.endpointId, id);
  const oldest = db
    .select({ at: min(deliveries.nextAttemptAt) })
    .from(deliveries)
    .where(and(ofEndpoint, isDue(at)));
  const inFlight = db
    .select({ total: count() })
    .from(deliveries)
    .where(and(ofEndpoint, isNotNull(deliveries.holder)));
  const limit = sql`case when ${isFailing} then ${maxPerFailingEndpoint}::int else ${maxPerEndpoint}::int end`;
  const waiting = await db
    .select({ id })
    .from(webhookEndpoints)
    .where(and(isNotNull(oldest), sql`${inFlight} < ${limit}`))
    .orderBy(isFailing, asc(oldest))
    .limit(maxEndpoints);
  return waiting.map((each) => each.id);
};

const isDue = (at: Date) =>
  and(eq(deliveries.status, 'pending'), isNull(deliveries.holder), lte(deliveries.nextAttemptAt, at));

/**
 * Claims the deliveries of an endpoint that became due first, up to its limit and to `room`, the one of the process. The endpoint is locked before its deliveries in
 * flight are counted, so that two processes at once do not exceed the limit together.
 */
export const claimDeliveries = async (
  tx: Db,
  endpointId: string,
  room: number,
  { holder, at, until }: { holder: string; at: Date; until: Date },
): Promise<Delivery[]> => {
  const ofEndpoint = eq(deliveries.endpointId, endpointId);
  const [endpoint] = await tx
    .select({ isFailing: webhookEndpoints.isFailing })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.id, endpointId))
    .for('no key update', { skipLocked: true });
  if (!endpoint) return [];
  const inFlight = await tx.$count(deliveries, and(ofEndpoint, isNotNull(deliveries.holder)));
  const free = Math.min(room, (endpoint.isFailing ? maxPerFailingEndpoint : maxPerEndpoint) - inFlight);
  if (free <= 0) return [];
  const due = tx
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(ofEndpoint, isDue(at)))
    .orderBy(deliveries.nextAttemptAt, deliveries.id)
    .limit(free)
    .for('update', { skipLocked: true });
  return tx
    .update(deliveries)
    .set({ attempts: sql`${deliveries.attempts} + 1`, holder, lockedUntil: until })
    .where(sql`${deliveries.id} = any(array(${due}))`)
    .returning();
};

/** Renews the lease of a delivery in flight. */
export const renewDelivery = async (db: Db, { id, holder }: Delivery, lockedUntil: Date): Promise<void> => {
  await db
    .update(deliveries)
    .set({ lockedUntil })
    .where(and(eq(deliveries.id, id), eq(deliveries.holder, holder ?? '')));
};
