/** Starts a conversation and its first turn with one statement. */
import type { DatabaseContext } from '../db/database.ts';
import { startConversation, type NewConversation } from './conversations.ts';
import type { AcquiredTurn, Turns } from './turns.ts';

interface StartedTurn {
  /** Undefined when the signal has aborted. */
  acquired: AcquiredTurn | undefined;
  /** Only when a publishable key started the conversation. */
  token: string | undefined;
}

export const startTurn = async (
  context: DatabaseContext & { turns: Turns },
  start: Omit<NewConversation, 'lease'>,
  signal: AbortSignal,
): Promise<StartedTurn> => {
  const { turns } = context;
  const lease = turns.newLease();
  const { conversation, token, isNew } = await startConversation(context, { ...start, lease });
  if (!isNew) return { acquired: await turns.acquire(conversation.id, signal), token };
  const acquired = turns.hold(conversation, lease);
  if (!signal.aborted) return { acquired, token };
  await acquired.release();
  return { acquired: undefined, token };
};
