import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { findPostgres, noPostgresReason } from '../support/servers/postgres.ts';
import { createTestService, useFolders } from './support.ts';

const run = promisify(execFile);
const server = await findPostgres();
const hasTools = spawnSync('pg_dump', ['--version']).status === 0;
const skip = !server ? noPostgresReason : hasTools ? false : 'no pg_dump here: install the client of PostgreSQL';

describe('a backup with pg_dump', { skip }, () => {
  const folder = useFolders()();
  after(() => server?.stop());

  it('is restored with pg_restore, and the service continues with it', async () => {
    const { url } = await server!.database();
    const options = { encryptionKey: 'kept', dataDir: folder };
    const first = await createTestService({ ...options, databaseUrl: url });
    const { secretKey: key } = first.service.demo;
    const { conversation_id } = (await first.chat('Hello', { key })).body;
    const dump = join(folder, 'workspace.dump');
    await run('pg_dump', ['--format', 'custom', '--file', dump, url]);
    await first.service.close();

    const { url: restored } = await server!.database();
    await run('pg_restore', ['--dbname', restored, '--no-owner', dump]);
    const second = await createTestService({ encryptionKey: 'kept', databaseUrl: restored });
    assert.equal(second.service.demo.secretKey, key, 'the encrypted keys are read');
    assert.equal((await second.chat('Where can I park?', { key, conversation_id })).status, 200);
    const { body } = await second.call('GET', `/conversations/${conversation_id}/messages`, { key });
    assert.equal(body.data.length, 4);
    await second.service.close();
  });
});
