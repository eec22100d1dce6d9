/** Counts a turn among those that still write, until it has ended: closing waits for them. */
import type { Parts } from '../http/environment.ts';

export const whileRunning = async <Value>(parts: Parts, work: () => Promise<Value>): Promise<Value> => {
  const working = work();
  parts.running.add(working);
  try {
    return await working;
  } finally {
    parts.running.delete(working);
  }
};
