import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { isNull } from 'drizzle-orm';
import { createEncryption } from '../../service/core/encryption.ts';
import { apiKeys, demoKeyPairs } from '../../service/db/schema.ts';
import { demoKeys } from '../../service/seed/demo-keys.ts';
import { hour, useTestService } from './support.ts';

const tested = useTestService();
const folders: string[] = [];
const folder = () => {
  folders.push(mkdtempSync(join(tmpdir(), 'demo-keys-')));
  return folders.at(-1)!;
};
after(() => folders.forEach((path) => rmSync(path, { recursive: true })));

const keysWith = (passphrase: string, dataDir: string | undefined = folder()) => {
  const encryption = createEncryption(passphrase);
  return demoKeys(tested.service.db, { at: tested.clock.now, given: {}, folder: dataDir, encryption });
};
const validKeys = async () => (await tested.service.db.select().from(apiKeys).where(isNull(apiKeys.revokedAt))).length;

describe('the keys of the demo', () => {
  it('are made once for a workspace, whatever the data folder', async () => {
    const first = await keysWith('same');
    const before = await validKeys();
    const others = await Promise.all([keysWith('same'), keysWith('same'), keysWith('same')]);
    for (const keys of others) assert.deepEqual(keys, first);
    assert.equal(await validKeys(), before);
    const stored = JSON.stringify(await tested.service.db.select().from(demoKeyPairs));
    assert.ok(!stored.includes(first.secretKey) && !stored.includes(first.publishableKey));
  });

  it('expire when they are made for a process that cannot decrypt the stored ones', async () => {
    const dataDir = folder();
    const first = await keysWith('same', dataDir);
    assert.deepEqual(await keysWith('new passphrase', dataDir), first);
    const before = await validKeys();
    const otherFolder = folder();
    const other = await keysWith('other', otherFolder);
    assert.notEqual(other.secretKey, first.secretKey);
    assert.deepEqual(await keysWith('other', otherFolder), other);
    assert.equal(await validKeys(), before + 2);
    const status = async (key: string) => (await tested.call('GET', '/me', { key })).status;
    assert.deepEqual([await status(first.secretKey), await status(other.secretKey)], [200, 200]);
    tested.clock.now += 7 * 24 * hour;
    assert.deepEqual([await status(first.secretKey), await status(other.secretKey)], [200, 401]);
  });
});
