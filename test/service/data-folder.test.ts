import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { FolderLockedError, lockFolder } from '../../service/db/lock.ts';
import { createTestService } from './support.ts';

const made: string[] = [];
const folder = () => {
  const path = mkdtempSync(join(tmpdir(), 'workspace-chat-'));
  made.push(path);
  return path;
};
after(() => made.forEach((path) => rmSync(path, { recursive: true, force: true })));

describe('a data folder', () => {
  it('keeps keys and conversations from one start to the next', async () => {
    const dataDir = folder();
    const first = await createTestService({ dataDir });
    const { demo } = first.service;
    const key = demo.publishableKey;
    const { body } = await first.chat('Hello', { key });
    await first.service.close();
    assert.equal(existsSync(join(dataDir, 'service.lock')), false);
    assert.equal(statSync(join(dataDir, 'keys.json')).mode & 0o777, 0o600);

    const second = await createTestService({ dataDir });
    assert.deepEqual(second.service.demo, demo);
    const next = await second.chat('Where can I park?', {
      key,
      conversation_id: body.conversation_id,
      conversation_token: body.conversation_token!,
    });
    assert.equal(next.status, 200);
    await second.service.close();
  });

  it('takes the keys it is given', async () => {
    const seed = { publishableKey: 'svc_pk_given', secretKey: 'svc_sk_given' };
    const given = await createTestService({ seed });
    assert.equal(given.service.demo.secretKey, 'svc_sk_given');
    assert.equal((await given.call('GET', '/me', { key: 'svc_sk_given' })).status, 200);
    await given.service.close();
  });

  it('left by a start that was cut short is made again', async () => {
    const dataDir = folder();
    rmSync(dataDir, { recursive: true });
    const unlock = lockFolder(dataDir);
    unlock();
    writeFileSync(join(dataDir, 'stray'), '');
    const started = await createTestService({ dataDir });
    assert.equal((await started.chat('Hello')).status, 200);
    await started.service.close();
    assert.ok(existsSync(join(dataDir, 'stray')), 'what is not ours stays');
  });
});

describe('the lock', () => {
  it('keeps a second service of this process out', () => {
    const path = folder();
    const unlock = lockFolder(path);
    assert.throws(() => lockFolder(path), FolderLockedError);
    unlock();
    lockFolder(path)();
  });

  it('held by another process names it', async () => {
    const path = folder();
    const other = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)']);
    writeFileSync(join(path, 'service.lock'), String(other.pid));
    assert.throws(() => lockFolder(path), new RegExp(`in use by process ${other.pid}`));
    const gone = new Promise((resolve) => other.on('exit', resolve));
    other.kill('SIGKILL');
    await gone;
    const unlock = lockFolder(path);
    assert.equal(readFileSync(join(path, 'service.lock'), 'utf8'), String(process.pid));
    unlock();
  });

  it('that cannot be read is a dead one', () => {
    const path = folder();
    writeFileSync(join(path, 'service.lock'), 'nonsense');
    lockFolder(path)();
  });
});
