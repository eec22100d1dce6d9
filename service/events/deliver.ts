/** Delivers events to webhook endpoints: signed, with a timeout, and with retries (the contract's "Delivery"). */
import { and, eq, gt, or, sql, type InferSelectModel } from 'drizzle-orm';
import type { DatabaseContext, Db } from '../db/database.ts';
import { deliveries, events, webhookEndpoints } from '../db/schema.ts';
import { retryDelaysMs } from '../core/retries.ts';
import type { Encryption } from '../core/encryption.ts';
import { errorText, type Log } from '../core/log.ts';
import type { Observer } from '../core/observer.ts';
import { EgressError, sendRequest } from '../egress/request.ts';
import { notifyOwners } from '../mail/notices.ts';
import type { Delivery } from './claim-deliveries.ts';
import { contractSignature, standardSignature } from './sign.ts';

type Endpoint = InferSelectModel<typeof webhookEndpoints>;
type Event = InferSelectModel<typeof events>;

export interface DeliveryContext extends DatabaseContext {
  encryption: Encryption;
  allowLoopback: boolean;
  log: Log;
  observer: Observer;
  /** Milliseconds that an endpoint has to respond. */
  deliveryTimeoutMs: number;
}

/** Failed events in a row after which an endpoint is disabled. */
const maxFailuresInRow = 20;
/** The service reads the response up to this size and ignores its content. Only the status counts. */
const maxResponseBytes = 64 * 1024;

/** Makes one attempt of a claimed delivery, records its result and ends its lease. */
export const deliver = async (context: DeliveryContext, delivery: Delivery): Promise<void> => {
  const { db, now } = context;
  const [found] = await db
    .select({ event: events, endpoint: webhookEndpoints })
    .from(events)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, delivery.endpointId))
    .where(eq(events.id, delivery.eventId));
  // Both delete their deliveries.
  if (!found) return;
  const { event, endpoint } = found;
  if (!endpoint.enabled && event.type !== 'webhook.test') {
    await record(db, delivery, now(), { status: 'failed', lastError: 'endpoint_disabled' });
    return;
  }
  const observation = context.observer.start('delivery');
  const result = await observation.run(() => attempt(endpoint, event, delivery, context));
  observation.end({ result: result.lastError ?? 'succeeded' });
  if (result.lastError === null) await recordSuccess(db, delivery, result, now());
  else {
    const { lastStatus: status, lastError: error } = result;
    const { attempts } = delivery;
    context.log({
      level: 'warn',
      event: 'delivery_failure',
      endpoint_id: endpoint.id,
      type: event.type,
      attempts,
      status,
      error,
    });
    await recordFailure(db, delivery, result, now());
  }
};

interface AttemptResult {
  lastStatus: number | null;
  lastError: string | null;
}

/** An unexpected error, for example a secret that cannot be decrypted, counts as a failed attempt. */
const attempt = async (
  endpoint: Endpoint,
  event: Event,
  delivery: Delivery,
  context: DeliveryContext,
): Promise<AttemptResult> => {
  try {
    const { status } = await send(endpoint, event, delivery, context);
    return { lastStatus: status, lastError: status >= 200 && status < 300 ? null : 'http_status' };
  } catch (error) {
    if (error instanceof EgressError) return { lastStatus: null, lastError: error.reason };
    context.log({ level: 'error', event: 'job_failure', kind: 'deliver', error: errorText(error) });
    return { lastStatus: null, lastError: 'internal_error' };
  }
};

const send = (endpoint: Endpoint, event: Event, delivery: Delivery, context: DeliveryContext) => {
  const body = JSON.stringify({
    id: event.id,
    type: event.type,
    created_at: event.createdAt.toISOString(),
    workspace_id: event.workspaceId,
    agent_id: event.agentId,
    data: event.data,
  });
  const at = Math.floor(context.now() / 1000);
  const secret = context.encryption.decrypt(endpoint.encryptedSecret);
  if (secret === undefined) throw new Error('The secret of this endpoint cannot be decrypted.');
  return sendRequest(endpoint.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'workspace-assistant-webhooks',
      'x-service-event': event.type,
      'x-service-delivery': `dlv_${delivery.id}_${delivery.attempts}`,
      'x-service-timestamp': String(at),
      'x-service-signature': contractSignature(secret, at, body),
      'webhook-id': event.id,
      'webhook-timestamp': String(at),
      'webhook-signature': standardSignature(secret, event.id, at, body),
    },
    body,
    timeoutMs: context.deliveryTimeoutMs,
    maxBytes: maxResponseBytes,
    truncates: true,
    allowLoopback: context.allowLoopback,
  });
};

/** Records nothing when the lease has ended and another attempt has taken over. */
const record = (db: Db, delivery: Delivery, now: number, changes: Partial<Delivery>): Promise<unknown> => {
  return db
    .update(deliveries)
    .set({ nextAttemptAt: null, holder: null, lockedUntil: null, lastAttemptAt: new Date(now), ...changes })
    .where(isClaimed(delivery));
};

const isClaimed = ({ id, holder }: Delivery) => and(eq(deliveries.id, id), eq(deliveries.holder, holder ?? ''));

const recordSuccess = async (db: Db, delivery: Delivery, result: AttemptResult, now: number): Promise<void> => {
  await record(db, delivery, now, { ...result, status: 'succeeded' });
  await db
    .update(webhookEndpoints)
    .set({ failuresInRow: 0, isFailing: false })
    .where(
      and(
        eq(webhookEndpoints.id, delivery.endpointId),
        or(webhookEndpoints.isFailing, gt(webhookEndpoints.failuresInRow, 0)),
      ),
    );
};

/** Sets the time of the next attempt, or marks the delivery as failed after the last one. */
const recordFailure = async (db: Db, delivery: Delivery, result: AttemptResult, now: number): Promise<void> => {
  const delay = retryDelaysMs[delivery.failures];
  await db.transaction(async (tx) => {
    const [counted] = await tx
      .update(webhookEndpoints)
      .set({
        isFailing: true,
        ...(delay === undefined ? { failuresInRow: sql`${webhookEndpoints.failuresInRow} + 1` } : {}),
      })
      .where(
        and(
          eq(webhookEndpoints.id, delivery.endpointId),
          sql`exists ${tx.select({ id: deliveries.id }).from(deliveries).where(isClaimed(delivery))}`,
        ),
      )
      .returning();
    const next = delay === undefined ? ({ status: 'failed' } as const) : { nextAttemptAt: new Date(now + delay) };
    await record(tx, delivery, now, { ...result, failures: delivery.failures + 1, ...next });
    const isLast = delay === undefined;
    if (isLast && counted?.enabled && counted.failuresInRow >= maxFailuresInRow) await disable(tx, counted, now);
  });
};

const disable = async (tx: Db, endpoint: Endpoint, now: number): Promise<void> => {
  await tx
    .update(webhookEndpoints)
    .set({ enabled: false, disabledReason: 'failures' })
    .where(eq(webhookEndpoints.id, endpoint.id));
  const { workspaceId, id, url } = endpoint;
  const detail = { webhook_id: id, url };
  await notifyOwners(tx, { workspaceId, kind: 'webhook_disabled', detail, at: new Date(now) });
};

/** Starts a delivery again with all its retries. Returns false while it is pending. */
export const replay = async (db: Db, deliveryId: string, at: Date): Promise<boolean> => {
  const restarted = await db
    .update(deliveries)
    .set({ status: 'pending', failures: 0, nextAttemptAt: at })
    .where(and(eq(deliveries.id, deliveryId), sql`${deliveries.status} <> 'pending'`))
    .returning({ id: deliveries.id });
  return restarted.length > 0;
};
