/**
 * Measures deliveries beside 18 endpoints that never respond: `npx tsx test/bench/delivery-fairness.ts`. Prints the time from an
 * event to its delivery at the endpoints that respond, on PGlite and on PostgreSQL. At most 2 seconds at the 95th percentile are
 * intended. `--seconds=60` chooses how long events are sent.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeLoad, runLoad } from '../support/servers/delivery-load.ts';
import { addWorkspace } from '../support/servers/workspaces.ts';
import { findPostgres, noPostgresReason } from '../support/servers/postgres.ts';
import { startService } from '../support/servers/service-process.ts';
import { createTestService } from '../service/support.ts';

const eventsPerSecond = 50;
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '200' } } });
const seconds = Number(values.seconds);
const folder = mkdtempSync(join(tmpdir(), 'workspace-fair-'));
const encryptionKey = 'the same for both';

const measure = async (name: string, databaseUrl?: string): Promise<void> => {
  const dataDir = join(folder, name);
  const setUp = await createTestService({ dataDir, encryptionKey, ...(databaseUrl ? { databaseUrl } : {}) });
  const second = await addWorkspace(setUp.service.db);
  await setUp.service.close();
  const environment: Record<string, string> = { WORKSPACE_ENCRYPTION_KEY: encryptionKey };
  if (databaseUrl) environment['DATABASE_URL'] = databaseUrl;
  const service = await startService(['--data', dataDir, '--allow-loopback'], environment);
  const first = { key: service.secretKey, agentId: service.agentId };
  const result = await runLoad(new URL(service.baseUrl).origin, [first, second], { seconds, eventsPerSecond });
  await service.end('SIGTERM');
  console.log(`${name}, ${eventsPerSecond} events a second for ${seconds} s: ${describeLoad(result)}`);
};

const server = await findPostgres();
try {
  await measure('PGlite');
  if (server) await measure('PostgreSQL', (await server.database()).url);
  else console.log(noPostgresReason);
} finally {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
}
