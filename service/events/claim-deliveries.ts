/** Claims deliveries that are due in the database, with a lease, and within the limits of their endpoints. */
import { and, eq, inArray, isNotNull, lte, or, sql, type InferSelectModel, type SQL } from 'drizzle-orm';
import { queryRows, type Db } from '../db/database.ts';
import { isHolderDead } from '../db/processes.ts';
import { deliveries, webhookEndpoints } from '../db/schema.ts';
import { maxPerEndpoint, maxPerFailingEndpoint, type WaitingEndpoint } from './delivery-slots.ts';

export type Delivery = InferSelectModel<typeof deliveries>;

/** The endpoints that a claim considers, so that thousands of failing ones do not make it slow. */
const maxEndpoints = 500;

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

/**
 * Returns the endpoints that have a due delivery and a free slot: the healthy ones first, then by the time at which their
 * first delivery became due. The recursive query takes one step in the index for each endpoint, however many deliveries it
 * has.
 */
export const findWaitingEndpoints = (db: Db, at: Date): Promise<WaitingEndpoint[]> => {
  const isWaiting = sql`status = 'pending' and holder is null`;
  return queryRows<WaitingEndpoint>(
    db,
    sql`with recursive waiting (endpoint_id) as (
          (select endpoint_id from deliveries where ${isWaiting} order by endpoint_id limit 1)
          union all
          select (select endpoint_id from deliveries
                  where ${isWaiting} and endpoint_id > waiting.endpoint_id order by endpoint_id limit 1)
          from waiting where waiting.endpoint_id is not null
        )
        select endpoint.id, endpoint.workspace_id as "workspaceId", endpoint.is_failing as "isFailing",
          in_flight.total::int as "inFlight", due.total::int as due
        from waiting
        join webhook_endpoints as endpoint on endpoint.id = waiting.endpoint_id
        cross join lateral (${inFlightTo(sql`waiting.endpoint_id`)}) as in_flight (total)
        cross join lateral (
          select count(*) as total, min(next_attempt_at) as first from (
            select next_attempt_at from deliveries
            where ${isWaiting} and endpoint_id = waiting.endpoint_id and next_attempt_at <= ${at.toISOString()}::timestamptz
            order by next_attempt_at limit ${maxPerEndpoint}
          ) as soonest
        ) as due
        where due.total > 0 and in_flight.total < ${slotsOf(sql`endpoint.is_failing`)}
        order by endpoint.is_failing, due.first limit ${maxEndpoints}`,
  );
};

const inFlightTo = (endpointId: SQL): SQL =>
  sql`select count(*) from deliveries where endpoint_id = ${endpointId} and holder is not null`;

const slotsOf = (isFailing: SQL): SQL =>
  sql`case when ${isFailing} then ${maxPerFailingEndpoint}::int else ${maxPerEndpoint}::int end`;

/**
 * Claims up to the granted number of deliveries for each endpoint, those first that became due first. The rows of the
 * endpoints are locked before their deliveries are counted, so that two processes at once do not exceed a limit together.
 */
export const claimDeliveries = async (
  db: Db,
  granted: ReadonlyMap<string, number>,
  lease: { holder: string; at: Date; until: Date },
): Promise<Delivery[]> => {
  if (granted.size === 0) return [];
  const { holder, at, until } = lease;
  return db.transaction(async (tx) => {
    const locked = await tx
      .select({ id: webhookEndpoints.id, isFailing: webhookEndpoints.isFailing })
      .from(webhookEndpoints)
      .where(inArray(webhookEndpoints.id, [...granted.keys()]))
      .for('no key update', { skipLocked: true });
    if (locked.length === 0) return [];
    const slots = locked.map(({ id, isFailing }) => sql`(${id}::text, ${granted.get(id)}::int, ${isFailing}::boolean)`);
    const free = sql`${slotsOf(sql`slots.is_failing`)} - (${inFlightTo(sql`slots.endpoint_id`)})`;
    return tx
      .update(deliveries)
      .set({ attempts: sql`${deliveries.attempts} + 1`, holder, lockedUntil: until })
      .where(
        sql`${deliveries.id} = any(array(
          select due.id from (values ${sql.join(slots, sql`, `)}) as slots (endpoint_id, granted, is_failing)
          cross join lateral (
            select id from deliveries
            where endpoint_id = slots.endpoint_id and status = 'pending' and holder is null
              and next_attempt_at <= ${at.toISOString()}::timestamptz
            order by next_attempt_at, id limit greatest(0, least(slots.granted, ${free})) for update skip locked
          ) as due
        ))`,
      )
      .returning();
  });
};

/** Renews the lease of a delivery in flight. */
export const renewDelivery = async (db: Db, { id, holder }: Delivery, lockedUntil: Date): Promise<void> => {
  await db
    .update(deliveries)
    .set({ lockedUntil })
    .where(and(eq(deliveries.id, id), eq(deliveries.holder, holder ?? '')));
};
