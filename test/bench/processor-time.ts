/** The processor time of other processes, on Linux. */
import { readdirSync, readFileSync } from 'node:fs';
import { sql } from 'drizzle-orm';
import { queryRows, type Db } from '../../service/db/database.ts';

/** Clock ticks of a second, which Linux defines for `/proc`. */
const ticksPerSecond = 100;

/** Milliseconds of the processor time of a process, or 0 when it has ended. */
export const processorTime = (pid: number): number => {
  if (!readdirSync('/proc').includes(String(pid))) return 0;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
};

/** Milliseconds of processor time of the PostgreSQL processes that serve the database. */
export const databaseTime = async (db: Db): Promise<number> => {
  const backends = await queryRows<{ pid: number }>(
    db,
    sql`select pid from pg_stat_activity where datname = current_database()`,
  );
  return backends.reduce((total, { pid }) => total + processorTime(pid), 0);
};
