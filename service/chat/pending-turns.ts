/** Counts a turn among those that still write, until it has ended: closing waits for them. */
import type { Dependencies } from '../http/environment.ts';

export const trackTurn = async <Value>(dependencies: Dependencies, work: () => Promise<Value>): Promise<Value> => {
  const working = work();
  dependencies.running.add(working);
  try {
    return await working;
  } finally {
    dependencies.running.delete(working);
  }
};
