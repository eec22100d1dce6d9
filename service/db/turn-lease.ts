/** Checks that a turn still has its conversation before it stores or sends something. */
import { eq } from 'drizzle-orm';
import { ApiError } from '../core/errors.ts';
import type { Db } from './database.ts';
import type { Conversation } from './records.ts';
import { conversations } from './schema.ts';

/** The process was taken for dead, for example because it did not run for a while. */
export class TurnLostError extends Error {
  constructor() {
    super('Another process has taken the conversation over.');
    this.name = 'TurnLostError';
  }
}

/** A conversation as it was when the turn began, with the turn's lease. */
type HeldConversation = Pick<Conversation, 'id' | 'turnHolder'>;

/**
 * Locks the conversation until the transaction ends, and returns it as it is now. An erasure, which ends the lease, comes either
 * before or after it.
 * @throws {ApiError | TurnLostError} When the turn has lost the conversation.
 */
const lockTurn = async (tx: Db, conversation: HeldConversation): Promise<Conversation> => {
  const [found] = await tx
    .select()
    .from(conversations)
    .where(eq(conversations.id, conversation.id))
    .for('no key update');
  if (found?.turnHolder !== conversation.turnHolder) throw await lossOf(tx, conversation);
  return found;
};

/** Why a turn has lost its conversation: to an erasure, or to another process. */
export const lossOf = async (db: Db, { id }: HeldConversation): Promise<Error> => {
  const [found] = await db.select({ state: conversations.state }).from(conversations).where(eq(conversations.id, id));
  return found?.state === 'closed' ? new ApiError('conversation_expired') : new TurnLostError();
};

export const isTurnLoss = (error: unknown): boolean =>
  error instanceof TurnLostError || (error instanceof ApiError && error.errorName === 'conversation_expired');

/** Stores an effect of a turn in a transaction, unless the turn has lost its conversation. `current`: the conversation as it is now. */
export const inTurn = <Value>(
  db: Db,
  conversation: HeldConversation,
  effect: (tx: Db, current: Conversation) => Promise<Value>,
): Promise<Value> => db.transaction(async (tx) => effect(tx, await lockTurn(tx, conversation)));
