import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { encryptionPassphrase } from '../../service/core/encryption.ts';
import { FolderLockedError, lockFolder } from '../../service/db/lock.ts';
import { createTestService, useFolders } from './support.ts';

const folder = useFolders();

describe('a data folder', () => {
  it('keeps keys and conversations between starts', async () => {
    const dataDir = folder();
    const first = await createTestService({ dataDir });
    const { demo } = first.service;
    const { conversation_id } = (await first.chat('Hello', { key: demo.secretKey })).body;
    await first.service.close();
    assert.equal(existsSync(join(dataDir, 'service.lock')), false);
    assert.equal(statSync(join(dataDir, 'keys.json')).mode & 0o777, 0o600);

    const second = await createTestService({ dataDir });
    assert.deepEqual(second.service.demo, demo);
    assert.equal((await second.chat('Hello', { key: demo.secretKey, conversation_id })).status, 200);
    await second.service.close();
  });

  it('is free again after a start that has failed', async () => {
    const dataDir = folder();
    await assert.rejects(createTestService({ dataDir, trustProxy: ['the proxy'] }), /TRUST_PROXY/);
    const started = await createTestService({ dataDir });
    await started.service.close();
  });

  it('recreates a data folder that an interrupted start left behind', async () => {
    const dataDir = folder();
    rmSync(dataDir, { recursive: true });
    const unlock = lockFolder(dataDir);
    unlock();
    writeFileSync(join(dataDir, 'stray'), '');
    const started = await createTestService({ dataDir });
    assert.equal((await started.chat('Hello')).status, 200);
    await started.service.close();
    assert.ok(existsSync(join(dataDir, 'stray')), 'files of other programs stay');
  });
});

describe('the encryption key', () => {
  const withEnvironment = async (environment: Record<string, string>, check: () => Promise<void>) => {
    const previous = { ...process.env };
    delete process.env['WORKSPACE_ENCRYPTION_KEY'];
    Object.assign(process.env, environment);
    await check().finally(() => (process.env = previous));
  };

  it('is read from WORKSPACE_ENCRYPTION_KEY, or from its alias WORKSPACE_SEAL_KEY', async () => {
    await withEnvironment({ WORKSPACE_ENCRYPTION_KEY: 'new', WORKSPACE_SEAL_KEY: 'old' }, async () => {
      assert.equal(await encryptionPassphrase(undefined), 'new');
    });
    await withEnvironment({ WORKSPACE_SEAL_KEY: 'old' }, async () => {
      assert.equal(await encryptionPassphrase(undefined), 'old');
    });
  });

  it('is stored in the data folder, where older versions stored it in seal.key', async () => {
    await withEnvironment({}, async () => {
      const dataDir = folder();
      const created = await encryptionPassphrase(dataDir);
      assert.equal(await encryptionPassphrase(dataDir), created);
      assert.equal(statSync(join(dataDir, 'encryption.key')).mode & 0o777, 0o600);
      const older = folder();
      writeFileSync(join(older, 'seal.key'), 'from an older version');
      assert.equal(await encryptionPassphrase(older), 'from an older version');
    });
  });
});

/** The arguments of a process that runs a script with the lock of a folder. */
const withLock = (path: string, script: string): string[] => {
  const module = new URL('../../service/db/lock.ts', import.meta.url).href;
  const head = `const { lockFolder } = await import(${JSON.stringify(module)}); const path = ${JSON.stringify(path)};`;
  return ['--import', 'tsx', '--input-type=module', '-e', `${head}\n${script}`];
};

describe('the lock of a data folder', () => {
  it('rejects a second service of the same process', () => {
    const path = folder();
    const unlock = lockFolder(path);
    assert.throws(() => lockFolder(path), FolderLockedError);
    unlock();
    lockFolder(path)();
  });

  it('rejects a service while another process holds it, whose id it names, until that process is gone', async () => {
    const path = folder();
    const script = `lockFolder(path); console.log('locked'); setTimeout(() => {}, 60000);`;
    const other = spawn(process.execPath, withLock(path, script));
    await new Promise((resolve) => other.stdout.once('data', resolve));
    assert.throws(() => lockFolder(path), new RegExp(`in use by process ${other.pid}`));
    // The lock of an older version has the id only.
    writeFileSync(join(path, 'service.lock'), String(other.pid));
    assert.throws(() => lockFolder(path), FolderLockedError);
    const gone = new Promise((resolve) => other.on('exit', resolve));
    other.kill('SIGKILL');
    await gone;
    const unlock = lockFolder(path);
    assert.match(readFileSync(join(path, 'service.lock'), 'utf8'), new RegExp(`^${process.pid}$`, 'm'));
    unlock();
  });

  const unshare = ['--pid', '--fork', '--kill-child', '--mount-proc', ...(process.getuid?.() === 0 ? [] : ['-r'])];
  const noContainers = spawnSync('unshare', [...unshare, 'true']).status !== 0 && 'The system has no `unshare`.';
  it(
    'is held by a service in another container until it ends, though both are process 1',
    { skip: noContainers },
    async () => {
      const path = folder();
      const script = `try { lockFolder(path); console.log(process.pid, 'locked'); setTimeout(() => {}, 60000); }
      catch (error) { console.log(process.pid, error.message.match(/is in use by .*?\\./)?.[0] ?? error.message); }`;
      const start = async () => {
        const run = spawn('unshare', [...unshare, process.execPath, ...withLock(path, script)]);
        const [output] = (await once(run.stdout, 'data')) as [Buffer];
        return { run, output: String(output).trim() };
      };
      const first = await start();
      assert.equal(first.output, '1 locked');
      assert.equal((await start()).output, '1 is in use by another service.');
      assert.throws(() => lockFolder(path), FolderLockedError);
      first.run.kill('SIGKILL');
      await once(first.run, 'exit');
      const next = await start();
      assert.equal(next.output, '1 locked');
      next.run.kill('SIGKILL');
    },
  );

  it('is given to one of several services that start at the same time after a crash', async (test) => {
    const path = folder();
    const lock = join(path, 'service.lock');
    const script = `
      let unlock = () => {};
      process.on('message', (at) => {
        if (at === 0) return process.send((unlock(), 'free'));
        while (Date.now() < at);
        // One begins while another one replaces the older lock.
        const own = performance.now() + Math.random() / 2;
        while (performance.now() < own);
        try { unlock = lockFolder(path); process.send('locked'); }
        catch (error) { unlock = () => {}; process.send(error.name); }
      });
      process.send('ready');`;
    const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const;
    const services = [1, 2, 3, 4, 5, 6].map(() =>
      spawn(process.execPath, withLock(path, script), { stdio: [...stdio] }),
    );
    test.after(() => services.forEach((each) => each.kill('SIGKILL')));
    const answers = () => Promise.all(services.map(async (each) => (await once(each, 'message'))[0] as string));
    const ask = (at: number) => {
      const answered = answers();
      for (const each of services) each.send(at);
      return answered;
    };
    await answers();
    for (let round = 0; round < 200; round++) {
      // Without an older lock, or with that of a process that is gone.
      if (round % 2 === 0) writeFileSync(lock, '4194303');
      const found = await ask(Date.now() + 5);
      assert.deepEqual(found.toSorted(), [...Array(5).fill('FolderLockedError'), 'locked'], `round ${round}`);
      await ask(0);
    }
  });

  it('replaces the lock of a process whose id belongs to another program now, and leaves no file behind', () => {
    const path = folder();
    const lock = join(path, 'service.lock');
    const unlock = lockFolder(path);
    const content = readFileSync(lock, 'utf8');
    unlock();
    writeFileSync(lock, content.replace(String(process.pid), String(process.ppid)));
    lockFolder(path)();
    assert.deepEqual(readdirSync(path), []);
  });

  it('replaces a lock file that is not readable', () => {
    const path = folder();
    writeFileSync(join(path, 'service.lock'), 'nonsense');
    lockFolder(path)();
  });
});
