/** Delivers events to webhook endpoints: signed, with a timeout, and with retries (the contract's "Delivery"). */
import { createHmac } from 'node:crypto';
import { and, eq, sql, type InferSelectModel } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import type { JobHandler } from '../jobs/runner.ts';
import { deliveries, events, members, notices, webhookEndpoints } from '../db/schema.ts';
import { newId } from '../core/ids.ts';
import type { Encryption } from '../core/encryption.ts';
import { EgressError, sendRequest } from '../egress/request.ts';
import { addJob } from '../jobs/queue.ts';

type Endpoint = InferSelectModel<typeof webhookEndpoints>;
type Event = InferSelectModel<typeof events>;
type Delivery = InferSelectModel<typeof deliveries>;

export interface DeliveryOptions {
  now: () => number;
  encryption: Encryption;
  allowLoopback: boolean;
  /** Milliseconds that an endpoint has to respond. */
  timeoutMs: number;
}

const retryDelaysMs = [1, 5, 30, 120, 720].map((minutes) => minutes * 60_000);
/** Failed events in a row after which an endpoint is disabled. */
const maxFailuresInRow = 20;
/** The service reads the response up to this size and ignores its content. Only the status counts. */
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
    const result = await attempt(endpoint, event, counted, options);
    if (result.lastError === null) {
      await record(db, counted, { ...result, status: 'succeeded' });
      await db.update(webhookEndpoints).set({ failuresInRow: 0 }).where(eq(webhookEndpoints.id, endpoint.id));
      return undefined;
    }
    return recordFailure(db, endpoint, counted, result, options.now());
  };
};

interface AttemptResult {
  lastStatus: number | null;
  lastError: string | null;
}

const attempt = async (
  endpoint: Endpoint,
  event: Event,
  delivery: Delivery,
  options: DeliveryOptions,
): Promise<AttemptResult> => {
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
    const { status } = await sendRequest(endpoint.url, {
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
      truncates: true,
      allowLoopback: options.allowLoopback,
    });
    return { lastStatus: status, lastError: status >= 200 && status < 300 ? null : 'http_status' };
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    return { lastStatus: null, lastError: error.reason };
  }
};

const record = (db: Db, { id }: Delivery, changes: Partial<Delivery>): Promise<unknown> => {
  return db
    .update(deliveries)
    .set({ nextAttemptAt: null, ...changes })
    .where(eq(deliveries.id, id));
};

/** Returns the time of the next attempt, or undefined after the last one. */
const recordFailure = async (db: Db, endpoint: Endpoint, delivery: Delivery, result: AttemptResult, now: number) => {
  const delay = retryDelaysMs[delivery.failures];
  if (delay !== undefined) {
    const nextAttemptAt = new Date(now + delay);
    await record(db, delivery, { ...result, failures: delivery.failures + 1, nextAttemptAt });
    return nextAttemptAt;
  }
  await db.transaction(async (tx) => {
    await record(tx, delivery, { ...result, failures: delivery.failures + 1, status: 'failed' });
    const [counted] = await tx
      .update(webhookEndpoints)
      .set({ failuresInRow: sql`${webhookEndpoints.failuresInRow} + 1` })
      .where(eq(webhookEndpoints.id, endpoint.id))
      .returning();
    if (counted && counted.enabled && counted.failuresInRow >= maxFailuresInRow) await disable(tx, counted, now);
  });
  return undefined;
};

const disable = async (tx: Db, endpoint: Endpoint, now: number): Promise<void> => {
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

/** Starts a delivery again with all its retries. Returns false while it is pending. */
export const replay = async (db: Db, deliveryId: string, at: Date): Promise<boolean> => {
  return db.transaction(async (tx) => {
    const restarted = await tx
      .update(deliveries)
      .set({ status: 'pending', failures: 0, nextAttemptAt: at })
      .where(and(eq(deliveries.id, deliveryId), sql`${deliveries.status} <> 'pending'`))
      .returning({ id: deliveries.id });
    if (restarted.length > 0) await addJob(tx, 'deliver', { delivery: deliveryId }, at);
    return restarted.length > 0;
  });
};
