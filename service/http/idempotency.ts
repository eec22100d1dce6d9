/**
 * Runs a creating call once per Idempotency-Key: within 24 hours the same key and body get the first answer again.
 * The key is held under a lease, so that a process that dies in the middle blocks it for a while only; the answer is
 * kept in the transaction of the effect, so that whoever takes over finds both or neither.
 */
import { randomUUID } from 'node:crypto';
import { and, eq, isNull, lt } from 'drizzle-orm';
import type { Context } from 'hono';
import { idempotencyWindowMs } from '../../contract/limits.ts';
import type { Db } from '../db/open.ts';
import { idempotencyKeys } from '../db/schema.ts';
import { addJob } from '../jobs/queue.ts';
import type { Environment, Dependencies } from './environment.ts';
import { ApiError, invalid } from '../core/errors.ts';
import { sha256 } from '../core/ids.ts';

const lease = 60_000;

/** A creating call that runs, and what is to be done with its answer. */
export interface Hold<Answer> {
  /** The same for every process that takes the call over; undefined for a call without an Idempotency-Key. */
  seed: string | undefined;
  /** To be called once, in the transaction of the effect. */
  keep(tx: Db, answer: Answer): Promise<Answer>;
}

/** Of a call that is not repeated. */
export const unheld: Hold<never> = { seed: undefined, keep: async (_, answer) => answer };

/**
 * Runs `work`, or answers with what it answered before. Only answers are kept: a refused call may be made again.
 * `shown` leaves out of the answer that is kept what is shown only once.
 */
export const once = async <Answer>(
  dependencies: Dependencies,
  context: Context<Environment>,
  work: (hold: Hold<Answer>) => Promise<Answer>,
  shown: (answer: Answer) => Answer = (answer) => answer,
): Promise<Answer> => {
  const key = context.req.header('idempotency-key')?.trim();
  if (!key) return work(unheld);
  if (key.length > 255) throw invalid('Idempotency-Key', 'too_big', 'At most 255 characters.');

  const { db } = dependencies;
  const at = new Date(dependencies.now());
  const operation = `${context.req.method} ${context.req.path}`;
  const bodyHash = sha256(context.var.bodyText);
  const holder = randomUUID();
  const entry = {
    apiKeyId: context.var.key.id,
    operation,
    key,
    bodyHash,
    holder,
    leaseUntil: new Date(dependencies.now() + lease),
    status: null,
    response: null,
    createdAt: at,
  };
  const mine = and(
    eq(idempotencyKeys.apiKeyId, entry.apiKeyId),
    eq(idempotencyKeys.operation, operation),
    eq(idempotencyKeys.key, key),
  );
  await expireResponses(dependencies);
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
    .returning({ createdAt: idempotencyKeys.createdAt });

  const [claimed] = taken;
  if (!claimed) {
    const [first] = await db.select().from(idempotencyKeys).where(mine);
    if (first && first.bodyHash !== bodyHash) throw new ApiError('idempotency_key_reused');
    if (!first || first.response === null) throw new ApiError('idempotency_in_progress', { retryAfter: 1 });
    context.header('Idempotent-Replayed', 'true');
    return JSON.parse(first.response) as Answer;
  }

  const held = and(mine, eq(idempotencyKeys.holder, holder));
  const renewal = setInterval(() => {
    const leaseUntil = new Date(dependencies.now() + lease);
    db.update(idempotencyKeys)
      .set({ leaseUntil })
      .where(held)
      .catch(() => {});
  }, lease / 3);
  let isKept = false;
  const keep = async (tx: Db, answer: Answer) => {
    const response = JSON.stringify(shown(answer));
    await tx.update(idempotencyKeys).set({ status: 200, response }).where(held);
    await addJob(tx, 'forget_answers', {}, new Date(dependencies.now() + idempotencyWindowMs + 1));
    isKept = true;
    return answer;
  };
  try {
    const answer = await work({ seed: `${entry.apiKeyId} ${operation} ${key} ${claimed.createdAt.getTime()}`, keep });
    return isKept ? answer : await keep(db, answer);
  } catch (error) {
    const unfinished = and(held, isNull(idempotencyKeys.status));
    // What failed on our side may have begun: whoever asks again takes it over. What was refused never was.
    if (error instanceof ApiError) await db.delete(idempotencyKeys).where(unfinished);
    else
      await db
        .update(idempotencyKeys)
        .set({ leaseUntil: new Date(0) })
        .where(unfinished);
    throw error;
  } finally {
    clearInterval(renewal);
  }
};

/** What was answered a day ago is forgotten, and with it any token it held. */
export const expireResponses = async ({ db, now }: Pick<Dependencies, 'db' | 'now'>): Promise<void> => {
  await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, new Date(now() - idempotencyWindowMs)));
};
