/** Delivers an event to an endpoint: signed, within 8 seconds, tried again on schedule (the contract's "Delivery"). */
import { createHmac } from 'node:crypto';
import { and, eq, sql, type InferSelectModel } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import { deliveries, events, members, notices, webhookEndpoints } from '../db/schema.ts';
import { newId } from '../core/ids.ts';
import type { Encryption } from '../core/encryption.ts';
import { ask, EgressError } from '../egress/request.ts';
import { addJob, type JobHandler } from '../jobs/queue.ts';

type Endpoint = InferSelectModel<typeof webhookEndpoints>;
type Event = InferSelectModel<typeof events>;
type Delivery = InferSelectModel<typeof deliveries>;

export interface DeliveryOptions {
  now: () => number;
  encryption: Encryption;
  allowLoopback: boolean;
  /** Milliseconds an endpoint has for the whole exchange. */
  timeoutMs: number;
}

const minute = 60_000;
const retries = [1, 5, 30, 120, 720].map((minutes) => minutes * minute);
const maxFailuresInRow = 20;
/** Of an answer that nobody reads. */
const maxResponseBytes = 64 * 1024;

export const createDeliveryHandler = (db: Db, options: DeliveryOptions): JobHandler => {
  return async ({ delivery: id }) => {
    const [counted] = await db
      .update(deliveries)
      .set({ attempts: sql`${deliveries.attempts} + 1` })
      .where(and(eq(deliveries.id, String(id)), eq(deliveries.status, 'pending')))
      .returning();
    if (!counted) return undefined;
    const [endpoint] = await db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, counted.endpointId));
    const [event] = await db.select().from(events).where(eq(events.id, counted.eventId));
    if (!endpoint || !event) return undefined;
    if (!endpoint.enabled && event.type !== 'webhook.test') {
      await record(db, counted, { status: 'failed', lastError: 'endpoint_disabled' });
      return undefined;
    }
    const outcome = await attempt(endpoint, event, counted, options);
    if (outcome.lastError === null) {
      await record(db, counted, { ...outcome, status: 'succeeded' });
      await db.update(webhookEndpoints).set({ failuresInRow: 0 }).where(eq(webhookEndpoints.id, endpoint.id));
      return undefined;
    }
    return failed(db, endpoint, counted, outcome, options.now());
  };
};

interface Outcome {
  lastStatus: number | null;
  lastError: string | null;
}

const attempt = async (
  endpoint: Endpoint,
  event: Event,
  delivery: Delivery,
  options: DeliveryOptions,
): Promise<Outcome> => {
  const body = JSON.stringify({
    id: event.id,
    type: event.type,
    created_at: event.createdAt.toISOString(),
    workspace_id: event.workspaceId,
    agent_id: event.agentId,
    data: event.data,
  });
  const at = Math.floor(options.now() / 1000);
  const signature = createHmac('sha256', options.encryption.decrypt(endpoint.encryptedSecret))
    .update(`${at}.${body}`)
    .digest('hex');
  try {
    const { status } = await ask(endpoint.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'workspace-assistant-webhooks',
        'x-service-event': event.type,
        'x-service-delivery': `dlv_${delivery.id}_${delivery.attempts}`,
        'x-service-timestamp': String(at),
        'x-service-signature': `t=${at},v1=${signature}`,
      },
      body,
      timeoutMs: options.timeoutMs,
      maxBytes: maxResponseBytes,
      allowLoopback: options.allowLoopback,
    });
    return { lastStatus: status, lastError: status >= 200 && status < 300 ? null : 'http_status' };
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    return { lastStatus: null, lastError: error.reason };
  }
};

const record = (db: Db, { id }: Delivery, what: Partial<Delivery>): Promise<unknown> => {
  return db
    .update(deliveries)
    .set({ nextAttemptAt: null, ...what })
    .where(eq(deliveries.id, id));
};

const failed = async (db: Db, endpoint: Endpoint, delivery: Delivery, outcome: Outcome, now: number) => {
  const wait = retries[delivery.failures];
  if (wait !== undefined) {
    const again = new Date(now + wait);
    await record(db, delivery, { ...outcome, failures: delivery.failures + 1, nextAttemptAt: again });
    return again;
  }
  await db.transaction(async (tx) => {
    await record(tx, delivery, { ...outcome, failures: delivery.failures + 1, status: 'failed' });
    const [counted] = await tx
      .update(webhookEndpoints)
      .set({ failuresInRow: sql`${webhookEndpoints.failuresInRow} + 1` })
      .where(eq(webhookEndpoints.id, endpoint.id))
      .returning();
    if (counted && counted.enabled && counted.failuresInRow >= maxFailuresInRow) await switchOff(tx, counted, now);
  });
  return undefined;
};

const switchOff = async (tx: Db, endpoint: Endpoint, now: number): Promise<void> => {
  await tx
    .update(webhookEndpoints)
    .set({ enabled: false, disabledReason: 'failures' })
    .where(eq(webhookEndpoints.id, endpoint.id));
  const owners = await tx
    .select()
    .from(members)
    .where(and(eq(members.workspaceId, endpoint.workspaceId), eq(members.role, 'owner')));
  for (const owner of owners) {
    await tx.insert(notices).values({
      id: newId('ntc'),
      workspaceId: endpoint.workspaceId,
      kind: 'webhook_disabled',
      recipient: owner.email,
      detail: { webhook_id: endpoint.id, url: endpoint.url },
      createdAt: new Date(now),
    });
  }
};

/** Begins a delivery anew, with the whole schedule before it. */
export const replay = async (db: Db, deliveryId: string, at: Date): Promise<boolean> => {
  return db.transaction(async (tx) => {
    const begun = await tx
      .update(deliveries)
      .set({ status: 'pending', failures: 0, nextAttemptAt: at })
      .where(and(eq(deliveries.id, deliveryId), sql`${deliveries.status} <> 'pending'`))
      .returning({ id: deliveries.id });
    if (begun.length > 0) await addJob(tx, 'deliver', { delivery: deliveryId }, at);
    return begun.length > 0;
  });
};
