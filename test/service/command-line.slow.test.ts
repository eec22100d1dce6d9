import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startService } from '../support/servers/service-process.ts';
import { createTestService, post, useFolders } from './support.ts';

const folder = useFolders()();

describe('the service as a process', () => {
  it('prints one sentence and exits when it cannot start', async () => {
    const main = fileURLToPath(new URL('../../service/main.ts', import.meta.url));
    const env = { ...process.env, DATABASE_URL: 'postgres://127.0.0.1:1/none' };
    const { code, complaint } = await new Promise<{ code: unknown; complaint: string }>((resolve) => {
      execFile(process.execPath, ['--import', 'tsx', main, '--data', folder], { env }, (error, _, stderr) => {
        resolve({ code: error?.code, complaint: stderr });
      });
    });
    assert.equal(code, 1);
    assert.match(complaint, /Cannot connect to PostgreSQL at DATABASE_URL/);
    assert.doesNotMatch(complaint, /^\s+at /m);
  });

  it('stays available when the reader of its log ends', async () => {
    const service = await startService(['--data', join(folder, 'unread'), '--seed', 'empty', '--log-format', 'json']);
    service.closeOutput();
    const headers = { authorization: `Bearer ${service.secretKey}` };
    for (let call = 0; call < 3; call++) {
      assert.equal((await fetch(`${service.baseUrl}/me`, { headers })).status, 200);
    }
    await service.end('SIGTERM');
  });

  it('creates an empty workspace without --seed and keeps it', async () => {
    const data = join(folder, 'empty');
    const service = await startService(['--data', data], { WORKSPACE_SEED: '' });
    const headers = { authorization: `Bearer ${service.secretKey}` };
    const get = async (path: string): Promise<any> => (await fetch(`${service.baseUrl}${path}`, { headers })).json();
    const { data: agents } = await get('/agents');
    assert.deepEqual(
      agents.map(({ id, status }: any) => [id, status]),
      [[service.agentId, 'live']],
    );
    assert.deepEqual((await get(`/agents/${service.agentId}/sources`)).data, []);
    const chat = { messages: [{ role: 'user', content: 'Who won the match?' }] };
    const response = await post(`${service.baseUrl}/agents/${service.agentId}/chat`, chat, { headers });
    assert.equal((await response.json()).refused, true);
    await service.end('SIGTERM');

    const said: string[] = [];
    const again = await createTestService({ dataDir: data, workspace: 'demo', onProgress: (text) => said.push(text) });
    const { body } = await again.call('GET', '/agents', { key: service.secretKey });
    assert.equal(body.data[0].name, 'My assistant');
    assert.ok(said.includes('The database has a workspace already, which stays unchanged.'));
    await again.service.close();
  });
});
