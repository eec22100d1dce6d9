/** What a process holds for a while holds nothing once it is dead; where there can be no other, it is let go at the start. */
import { isNotNull, isNull } from 'drizzle-orm';
import type { Db } from './open.ts';
import { agents, conversations, idempotencyKeys, jobs } from './schema.ts';

/** Only for a database that no other process has open. */
export const releaseAllLeases = async (db: Db): Promise<void> => {
  await db
    .update(idempotencyKeys)
    .set({ leaseUntil: new Date(0) })
    .where(isNull(idempotencyKeys.status));
  await db.update(conversations).set({ turnHolder: null, turnUntil: null }).where(isNotNull(conversations.turnHolder));
  await db.update(jobs).set({ holder: null, lockedUntil: null }).where(isNotNull(jobs.holder));
  await db.update(agents).set({ importingUntil: null }).where(isNotNull(agents.importingUntil));
};
