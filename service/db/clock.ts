/** The time of the service. In development mode the team moves it, in all processes of the database. */
import type { Db } from './database.ts';
import { shiftLeases } from './lease.ts';
import { clockOffset } from './schema.ts';
import type { Signals } from './signals.ts';

/** The difference between the clocks of two processes with which the service works. */
export const clockDifferenceMs = 30_000;

export interface MovableClock {
  now(): number;
  /** Milliseconds before or after the real time. */
  offset(): number;
  move(offset: number): Promise<void>;
}

const signal = 'clock';
const row = { id: 1 };

/** The offset is stored, because the stored rows have the moved time: a later start continues with it. */
export const createMovableClock = async (db: Db, signals: Signals, now: () => number): Promise<MovableClock> => {
  let offset = 0;
  const load = async (): Promise<void> => {
    const [stored] = await db.select().from(clockOffset);
    offset = stored?.milliseconds ?? 0;
  };
  await load();
  signals.listen((text) => {
    // Without a text, signals may have been lost. After an error, the next signal loads the offset.
    if (text === signal || text === undefined) void load().catch(() => {});
  });

  return {
    now: () => now() + offset,
    offset: () => offset,
    async move(next) {
      await db.transaction(async (tx) => {
        const [stored] = await tx.select().from(clockOffset).for('update');
        const milliseconds = next;
        await tx
          .insert(clockOffset)
          .values({ ...row, milliseconds })
          .onConflictDoUpdate({ target: clockOffset.id, set: { milliseconds } });
        // The work in flight keeps its leases.
        await shiftLeases(tx, next - (stored?.milliseconds ?? 0));
        await signals.send(tx, signal);
      });
      offset = next;
    },
  };
};
