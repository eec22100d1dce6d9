/** Stores an event in the transaction that causes it, with a delivery for each subscribed endpoint. */
import { randomBytes } from 'node:crypto';
import { and, eq, isNull, or, sql } from 'drizzle-orm';
import type { JsonObject } from '../../contract/wire.ts';
import type { Db } from '../db/database.ts';
import { deliveries, events, webhookEndpoints } from '../db/schema.ts';
import { newId } from '../core/ids.ts';
import type { EventType } from '../core/event-types.ts';

interface NewEvent {
  workspaceId: string;
  /** Null for an event of the whole workspace. */
  agentId: string | null;
  type: EventType;
  data: object;
  at: Date;
  /** Delivers to this endpoint only, even if it is not subscribed. */
  onlyTo?: string;
}

export const emit = async (tx: Db, { workspaceId, agentId, type, data, at, onlyTo }: NewEvent): Promise<string> => {
  const id = newId('evt');
  await tx.insert(events).values({ id, workspaceId, agentId, type, data: data as JsonObject, createdAt: at });
  const endpoints = await tx
    .select({ endpointId: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(
      onlyTo === undefined
        ? and(
            eq(webhookEndpoints.workspaceId, workspaceId),
            eq(webhookEndpoints.enabled, true),
            sql`${type} = any(${webhookEndpoints.events})`,
            agentId === null
              ? isNull(webhookEndpoints.agentId)
              : or(isNull(webhookEndpoints.agentId), eq(webhookEndpoints.agentId, agentId)),
          )
        : and(eq(webhookEndpoints.workspaceId, workspaceId), eq(webhookEndpoints.id, onlyTo)),
    );
  const added = endpoints.map(({ endpointId }) => ({
    id: randomBytes(8).toString('hex'),
    endpointId,
    eventId: id,
    status: 'pending' as const,
    nextAttemptAt: at,
    createdAt: at,
  }));
  if (added.length > 0) await tx.insert(deliveries).values(added);
  return id;
};
