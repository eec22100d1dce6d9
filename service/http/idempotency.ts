/**
 * Runs a creating call once per Idempotency-Key. Within 24 hours the same key and body get the first response again.
 *
 * The key is claimed with a lease, so that a process that dies blocks it only for a while. The response is saved in the
 * transaction of the effect, so that a process that takes over finds both or neither.
 */
import { and, eq, isNull, lt, or, type SQL } from 'drizzle-orm';
import type { Context } from 'hono';
import { idempotencyWindowMs } from '../../contract/limits.ts';
import type { Encryption } from '../core/encryption.ts';
import { ApiError, invalid } from '../core/errors.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { sha256 } from '../core/ids.ts';
import type { DatabaseContext, Db } from '../db/database.ts';
import { endLease, keepLease, leaseEnd, type LeaseContext } from '../db/lease.ts';
import { isHolderDead } from '../db/processes.ts';
import { unrepeatableCall, type RepeatableCall } from '../db/repeatable-call.ts';
import { idempotencyKeys } from '../db/schema.ts';
import type { Environment } from './environment.ts';

type Work<Body> = (call: RepeatableCall<Body>) => Promise<Body>;

const maxKeyLength = 255;

interface Replay<Body> {
  /** Removes the members that are shown only once. */
  redact?: (response: Body) => Body;
  /** Members that are returned again to the address of the first call only. They are stored encrypted. */
  privateMembers?: (keyof Body & string)[];
}

interface OnceContext extends LeaseContext {
  encryption: Encryption;
}

/**
 * Runs `work`, or returns the saved response of an earlier call. Only responses are saved: a call that was rejected may
 * be repeated.
 */
export const runOnce = async <Body>(
  database: OnceContext,
  context: Context<Environment>,
  work: Work<Body>,
  replay: Replay<Body> = {},
): Promise<Body> => {
  const key = context.req.header('idempotency-key')?.trim();
  if (!key) return work(unrepeatableCall);
  if (key.length > maxKeyLength) throw invalid('Idempotency-Key', 'too_big', `At most ${maxKeyLength} characters.`);

  const request: KeyedRequest = {
    apiKeyId: context.var.key.id,
    operation: `${context.req.method} ${context.req.path}`,
    key,
    bodyHash: sha256(canonicalJson(context.var.bodyText)),
    callerHash: sha256(`${context.var.key.id} ${context.var.address}`),
  };
  await expireResponse(database, request);
  const holder = database.newHolder();
  const claimedAt = await claim(database, request, holder);
  if (claimedAt) return runClaimed(database, request, { holder, claimedAt }, work, replay);

  const [first] = await database.db.select().from(idempotencyKeys).where(isKey(request));
  if (first && first.bodyHash !== request.bodyHash) throw new ApiError('idempotency_key_reused');
  if (!first || first.response === null) throw new ApiError('idempotency_in_progress', { retryAfter: 1 });
  context.header('Idempotent-Replayed', 'true');
  const members = first.callerHash === request.callerHash ? decryptedMembers(database, first.encryptedMembers) : {};
  return { ...(JSON.parse(first.response) as Body), ...members };
};

/** Returns nothing when the encryption key was replaced since. */
const decryptedMembers = ({ encryption }: OnceContext, encrypted: string | null): object => {
  const text = encrypted === null ? undefined : encryption.decrypt(encrypted);
  return text === undefined ? {} : (JSON.parse(text) as object);
};

interface KeyedRequest {
  apiKeyId: string;
  operation: string;
  key: string;
  bodyHash: string;
  callerHash: string;
}

const isKey = ({ apiKeyId, operation, key }: KeyedRequest): SQL | undefined => {
  return and(
    eq(idempotencyKeys.apiKeyId, apiKeyId),
    eq(idempotencyKeys.operation, operation),
    eq(idempotencyKeys.key, key),
  );
};

/** A key is free again after 24 hours, also when the job that deletes the responses has not come to it. */
const expireResponse = async ({ db, now }: DatabaseContext, request: KeyedRequest): Promise<void> => {
  const isExpired = lt(idempotencyKeys.createdAt, new Date(now() - idempotencyWindowMs));
  await db.delete(idempotencyKeys).where(and(isKey(request), isExpired));
};

/** Returns when the key was first used, or undefined when another call holds it or has a response already. */
const claim = async (
  { db, now }: DatabaseContext,
  request: KeyedRequest,
  holder: string,
): Promise<Date | undefined> => {
  const at = new Date(now());
  const leaseUntil = leaseEnd(now);
  const { apiKeyId, operation, key, bodyHash } = request;
  const [claimed] = await db
    .insert(idempotencyKeys)
    .values({ apiKeyId, operation, key, bodyHash, holder, leaseUntil, status: null, response: null, createdAt: at })
    .onConflictDoUpdate({
      target: [idempotencyKeys.apiKeyId, idempotencyKeys.operation, idempotencyKeys.key],
      set: { holder, leaseUntil },
      setWhere: and(
        isNull(idempotencyKeys.status),
        or(lt(idempotencyKeys.leaseUntil, at), isHolderDead(idempotencyKeys.holder)),
        eq(idempotencyKeys.bodyHash, request.bodyHash),
      ),
    })
    .returning({ createdAt: idempotencyKeys.createdAt });
  return claimed?.createdAt;
};

const runClaimed = async <Body>(
  { db, now, encryption, closing }: OnceContext,
  request: KeyedRequest,
  { holder, claimedAt }: { holder: string; claimedAt: Date },
  work: Work<Body>,
  replay: Replay<Body>,
): Promise<Body> => {
  const isOurs = and(isKey(request), eq(idempotencyKeys.holder, holder));
  const stopRenewing = keepLease(now, (leaseUntil) => db.update(idempotencyKeys).set({ leaseUntil }).where(isOurs));
  let isSaved = false;
  const saveResponse = async (tx: Db, response: Body) => {
    const saved = await tx
      .update(idempotencyKeys)
      .set({ status: 200, ...storedResponse(response, replay, request, encryption) })
      .where(isOurs)
      .returning({ key: idempotencyKeys.key });
    // Another process took this one for dead and runs the call. The transaction of the effect is rolled back.
    if (saved.length === 0) throw new ApiError('idempotency_in_progress', { retryAfter: 1 });
    isSaved = true;
    return response;
  };
  try {
    const { apiKeyId, operation, key } = request;
    const response = await work({ idSeed: `${apiKeyId} ${operation} ${key} ${claimedAt.getTime()}`, saveResponse });
    return isSaved ? response : await saveResponse(db, response);
  } catch (error) {
    const isUnfinished = and(isOurs, isNull(idempotencyKeys.status));
    // An unexpected error may have left effects behind: the next call with the key takes over, with the same id seed.
    // A rejected call has no effects, so its key becomes free.
    await endLease({ closing }, () =>
      error instanceof ApiError
        ? db.delete(idempotencyKeys).where(isUnfinished)
        : db
            .update(idempotencyKeys)
            .set({ leaseUntil: new Date(0) })
            .where(isUnfinished),
    );
    throw error;
  } finally {
    stopRenewing();
  }
};

const storedResponse = <Body>(
  response: Body,
  { redact = (complete) => complete, privateMembers = [] }: Replay<Body>,
  { callerHash }: KeyedRequest,
  encryption: Encryption,
) => {
  const entries = Object.entries(redact(response) as object);
  const isPrivate = ([name]: [string, unknown]) => (privateMembers as string[]).includes(name);
  const hidden = entries.filter(isPrivate);
  const visible = Object.fromEntries(entries.filter((entry) => !isPrivate(entry)));
  return {
    response: JSON.stringify(visible),
    ...(hidden.length === 0
      ? {}
      : { callerHash, encryptedMembers: encryption.encrypt(JSON.stringify(Object.fromEntries(hidden))) }),
  };
};
