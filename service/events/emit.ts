/** Stores an event in the transaction that causes it, with a delivery for each subscribed endpoint. */
import { sql, type SQL } from 'drizzle-orm';
import { prepared, type Db } from '../db/database.ts';
import { storableJson } from '../core/storable.ts';
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

const { placeholder } = sql;

/** Returns the values for `eventParts`. */
export const eventValues = ({ workspaceId, agentId, type, data, at }: NewEvent) => ({
  eventId: newId('evt'),
  workspaceId,
  agentId,
  eventType: type,
  eventData: storableJson(data),
  createdAt: at.toISOString(),
});

/**
 * Returns the parts of a `with` statement that store the event for each row of `from`, with its deliveries. The statement that
 * causes an event stores it too, which saves round trips.
 */
export const eventParts = (db: Db, from: SQL, receives = isSubscribed) => {
  const createdAt = sql`${placeholder('createdAt')}::timestamptz`;
  const event = sql`insert into events (id, workspace_id, agent_id, type, data, created_at)
    select ${placeholder('eventId')}, ${placeholder('workspaceId')}, ${placeholder('agentId')}::text,
      ${placeholder('eventType')}::text, ${placeholder('eventData')}::jsonb, ${createdAt}
    from ${from}
    returning id`;
  // Without the lock, an endpoint that is being deleted would be found, and its delivery rejected.
  const delivery = sql`insert into deliveries (id, endpoint_id, event_id, status, next_attempt_at, created_at)
    select left(replace(gen_random_uuid()::text, '-', ''), 16), e.id, event.id, 'pending', ${createdAt}, ${createdAt}
    from event cross join webhook_endpoints e
    where e.workspace_id = ${placeholder('workspaceId')} and ${receives}
    for key share of e`;
  return [db.$with('event', {}).as(event), db.$with('delivery', {}).as(delivery)] as const;
};

const isSubscribed = sql`e.enabled and ${placeholder('eventType')} = any(e.events)
  and (e.agent_id is null or e.agent_id = ${placeholder('agentId')}::text)`;

const always = sql`(select) as always`;
const emitStatement = (name: string, receives?: SQL) =>
  prepared(name, (db) =>
    db
      .with(...eventParts(db, always, receives))
      .select({ one: sql`1` })
      .from(always),
  );
const emitToSubscribed = emitStatement('event.emit');
const emitToOne = emitStatement('event.emit_to_one', sql`e.id = ${placeholder('onlyTo')}`);

/** Stores the event and returns its id. */
export const emit = async (tx: Db, event: NewEvent): Promise<string> => {
  const values = eventValues(event);
  if (event.onlyTo === undefined) await emitToSubscribed(tx, values);
  else await emitToOne(tx, { ...values, onlyTo: event.onlyTo });
  return values.eventId;
};
