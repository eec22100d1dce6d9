/** Stores an event in the transaction that causes it, with a delivery for each subscribed endpoint. */
import { sql, type SQL } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { jsonParameter } from '../db/tables/columns.ts';
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

/** Stores the event and returns its id. */
export const emit = async (tx: Db, event: NewEvent): Promise<string> => {
  const { id, parts } = eventParts(event, sql`(select) as always`);
  await tx.execute(sql`with ${parts} select`);
  return id;
};

/**
 * Returns the parts `event` and `delivery` of a `with` statement, which store the event for each row of `from`.
 * The statement that causes an event stores it too, which saves round trips.
 */
export const eventParts = (
  { workspaceId, agentId, type, data, at, onlyTo }: NewEvent,
  from: SQL,
): { id: string; parts: SQL } => {
  const id = newId('evt');
  const createdAt = sql`${at.toISOString()}::timestamptz`;
  const receives =
    onlyTo === undefined
      ? sql`e.enabled and ${type} = any(e.events) and (e.agent_id is null or e.agent_id = ${agentId}::text)`
      : sql`e.id = ${onlyTo}`;
  const parts = sql`event as (
      insert into events (id, workspace_id, agent_id, type, data, created_at)
      select ${id}, ${workspaceId}, ${agentId}::text, ${type}, ${jsonParameter(data)}, ${createdAt} from ${from}
      returning id
    ), delivery as (
      insert into deliveries (id, endpoint_id, event_id, status, next_attempt_at, created_at)
      select left(replace(gen_random_uuid()::text, '-', ''), 16), e.id, event.id, 'pending', ${createdAt}, ${createdAt}
      from event cross join webhook_endpoints e
      where e.workspace_id = ${workspaceId} and ${receives}
    )`;
  return { id, parts };
};
