/** The two probes of a process manager or a load balancer: whether the process runs, and whether it accepts calls. */
import { sql } from 'drizzle-orm';
import type { Env, Hono } from 'hono';
import type { Db } from '../db/database.ts';
import { withTimeout } from '../core/waiting.ts';
import { probeTimeoutMs } from '../core/timeouts.ts';

interface HealthContext {
  db: Db;
  draining: AbortSignal;
}

/** The responses never contain the reason of a failure of the database. The log has it. */
export const healthRoutes = <Variables extends Env>(app: Hono<Variables>, service: HealthContext): void => {
  app.get('/healthz', (context) => context.json({ status: 'ok' }));
  app.get('/readyz', async (context) => {
    const status = await readiness(service);
    return context.json({ status }, status === 'ready' ? 200 : 503, { 'Cache-Control': 'no-store' });
  });
};

const readiness = async ({ db, draining }: HealthContext): Promise<'ready' | 'draining' | 'database_unavailable'> => {
  if (draining.aborted) return 'draining';
  return withTimeout(probeTimeoutMs, 'The database does not respond.', db.execute(sql`select 1`)).then(
    () => 'ready' as const,
    () => 'database_unavailable' as const,
  );
};
