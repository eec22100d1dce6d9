import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { findPostgres, noPostgresReason } from '../support/servers/postgres.ts';
import { startService } from '../support/servers/service-process.ts';
import { addWorkspace, describeLoad, quantile, runLoad } from './delivery-load.ts';
import { createTestService } from './support.ts';

const seconds = 200;
const eventsPerSecond = 50;

const server = await findPostgres();
const folder = mkdtempSync(join(tmpdir(), 'workspace-fair-'));
after(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('a service with 18 endpoints that never respond', () => {
  for (const kind of ['the embedded database', 'PostgreSQL'] as const) {
    const skip = kind === 'PostgreSQL' && !server ? noPostgresReason : false;
    const title = `delivers ${eventsPerSecond} events a second to the other endpoints for ${seconds} seconds, on ${kind}`;
    it(title, { skip }, async (test) => {
      const dataDir = join(folder, kind);
      const database = kind === 'PostgreSQL' ? await server!.database() : undefined;
      const encryptionKey = 'the same for both';
      const environment: Record<string, string> = {
        WORKSPACE_ENCRYPTION_KEY: encryptionKey,
        ...(database ? { DATABASE_URL: database.url } : {}),
      };
      const setUp = await createTestService({
        dataDir,
        encryptionKey,
        ...(database ? { databaseUrl: database.url } : {}),
      });
      const second = await addWorkspace(setUp.service.db);
      await setUp.service.close();
      const service = await startService(['--data', dataDir, '--allow-loopback'], environment);
      const first = { key: service.secretKey, agentId: service.agentId };
      const url = new URL(service.baseUrl).origin;
      const result = await runLoad(url, [first, second], { seconds, eventsPerSecond });
      await service.end('SIGTERM');
      test.diagnostic(`${kind}: ${describeLoad(result)}`);
      assert.equal(result.latencies.length, result.sent);
      assert.ok(quantile(result.latencies, 0.95) < 2000);
      assert.ok(Math.max(...result.indexed) < 5000);
    });
  }
});
