/** Keeps a turn in the set of pending turns until it has ended. The service waits for the set before it closes. */

export const trackTurn = async <Value>(
  { pendingTurns }: { pendingTurns: Set<Promise<unknown>> },
  work: () => Promise<Value>,
): Promise<Value> => {
  const turn = work();
  pendingTurns.add(turn);
  try {
    return await turn;
  } finally {
    pendingTurns.delete(turn);
  }
};
