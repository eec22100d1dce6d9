import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { limit } from '../support/time-limits.ts';
import { startService } from '../support/servers/service-process.ts';
import { createTestService, post, useFolders } from './support.ts';

const folder = useFolders()();

describe('the service as a process', () => {
  /** Returns the exit code and the last line of a start that fails. */
  const failingStart = async (args: string[], variables: Record<string, string> = {}) => {
    const main = fileURLToPath(new URL('../../service/main.ts', import.meta.url));
    const options = { env: { ...process.env, ...variables }, timeout: limit(60_000) };
    return new Promise<{ code: unknown; complaint: string; text: string }>((resolve) => {
      execFile(process.execPath, ['--import', 'tsx', main, ...args], options, (error, _, text) => {
        resolve({ code: error?.code, complaint: text.trim().split('\n').at(-1)!, text });
      });
    });
  };

  it('prints one sentence and exits when it cannot start', async () => {
    const { code, complaint, text } = await failingStart(['--data', folder], {
      DATABASE_URL: 'postgres://127.0.0.1:1/none',
    });
    assert.equal(code, 1);
    assert.match(complaint, /Cannot connect to PostgreSQL at DATABASE_URL/);
    assert.doesNotMatch(text, /^\s+at /m);
  });

  it('names the option of the address that it cannot listen on, and not the database', async () => {
    const data = ['--data', join(folder, 'addresses')];
    for (const [args, variables, option] of [
      [[], { WORKSPACE_HOST: 'nohost.invalid' }, '--host'],
      [['--host', '192.0.2.9'], {}, '--host'],
      [['--metrics-port', '0', '--metrics-host', 'nohost.invalid'], {}, '--metrics-host'],
    ] as const) {
      const { code, complaint, text } = await failingStart([...data, '--port', '0', ...args], variables);
      assert.equal(code, 1, text);
      assert.match(complaint, new RegExp(`(^|[^-\\w])${option} takes an address`));
      assert.doesNotMatch(text, /DATABASE_URL|^\s+at /m);
    }
  });

  it('names the data folder that cannot be used', async () => {
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    for (const path of [file, join(file, 'below'), ...(existsSync('/proc/self') ? ['/proc/nothing'] : [])]) {
      for (const more of [[], ['--fresh']]) {
        const { code, complaint } = await failingStart(['--data', path, '--port', '0', ...more]);
        assert.equal(code, 1, path);
        assert.match(complaint, /^The data folder \S+ cannot be used: E\w+.*--data/);
      }
    }
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
