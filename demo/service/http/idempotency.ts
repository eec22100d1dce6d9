/**
 * Runs a creating call once per Idempotency-Key: within 24 hours the same key and body get the first answer again.
 * The key is held under a lease, so that a process that dies in the middle blocks it for a while only.
 */
import { randomUUID } from 'node:crypto';
import { and, eq, isNull, lt, sql } from 'drizzle-orm';
import type { Context } from 'hono';
import { idempotencyKeys } from '../db/schema.ts';
import { addJob } from '../events/jobs.ts';
import type { Environment, Parts } from './environment.ts';
import { ApiError, invalid } from './errors.ts';
import { sha256 } from './identifiers.ts';

const keptFor = 24 * 60 * 60 * 1000;
const lease = 60_000;

/**
 * Runs `work`, or answers with what it answered before. Only answers are kept: a refused call may be made again.
 * `kept` leaves out of the answer what is shown only once.
 */
export async function once<Answer>(
  parts: Parts,
  context: Context<Environment>,
  work: () => Promise<Answer>,
  kept: (answer: Answer) => Answer = (answer) => answer,
): Promise<Answer> {
  const key = context.req.header('idempotency-key')?.trim();
  if (!key) return work();
  if (key.length > 255) throw invalid('Idempotency-Key', 'too_big', 'At most 255 characters.');

  const { db } = parts;
  const at = new Date(parts.now());
  const operation = `${context.req.method} ${context.req.path}`;
  const bodyHash = sha256(context.var.bodyText);
  const holder = randomUUID();
  const entry = {
    apiKeyId: context.var.key.id,
    operation,
    key,
    bodyHash,
    holder,
    leaseUntil: new Date(parts.now() + lease),
    status: null,
    response: null,
    createdAt: at,
  };
  const mine = and(
    eq(idempotencyKeys.apiKeyId, entry.apiKeyId),
    eq(idempotencyKeys.operation, operation),
    eq(idempotencyKeys.key, key),
  );
  await forgetAnswers(parts);
  const taken = await db
    .insert(idempotencyKeys)
    .values(entry)
    .onConflictDoUpdate({
      target: [idempotencyKeys.apiKeyId, idempotencyKeys.operation, idempotencyKeys.key],
      set: { holder, leaseUntil: entry.leaseUntil },
      setWhere: and(
        isNull(idempotencyKeys.status),
        lt(idempotencyKeys.leaseUntil, at),
        eq(idempotencyKeys.bodyHash, bodyHash),
      ),
    })
    .returning({ key: idempotencyKeys.key });

  if (taken.length === 0) {
    const [first] = await db.select().from(idempotencyKeys).where(mine);
    if (first && first.bodyHash !== bodyHash) throw new ApiError('idempotency_key_reused');
    if (!first || first.response === null) throw new ApiError('idempotency_in_progress', { retryAfter: 1 });
    context.header('Idempotent-Replayed', 'true');
    return JSON.parse(first.response) as Answer;
  }

  const held = and(mine, eq(idempotencyKeys.holder, holder));
  const renewal = setInterval(() => {
    const leaseUntil = new Date(parts.now() + lease);
    db.update(idempotencyKeys)
      .set({ leaseUntil })
      .where(held)
      .catch(() => {});
  }, lease / 3);
  try {
    const answer = await work();
    await db
      .update(idempotencyKeys)
      .set({ status: 200, response: JSON.stringify(kept(answer)) })
      .where(held);
    await addJob(db, 'forget_answers', {}, new Date(parts.now() + keptFor + 1));
    return answer;
  } catch (error) {
    await db.delete(idempotencyKeys).where(and(held, sql`${idempotencyKeys.status} is null`));
    throw error;
  } finally {
    clearInterval(renewal);
  }
}

/** What was answered a day ago is forgotten, and with it any token it held. */
export async function forgetAnswers({ db, now }: Pick<Parts, 'db' | 'now'>): Promise<void> {
  await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, new Date(now() - keptFor)));
}
