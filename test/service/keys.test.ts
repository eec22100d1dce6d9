import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eq, inArray, isNull } from 'drizzle-orm';
import { apiKeys, demoKeyPairs } from '../../service/db/schema.ts';
import { sha256 } from '../../service/core/ids.ts';
import { createEncryption } from '../../service/core/encryption.ts';
import { prune } from '../../service/db/retention.ts';
import { demoKeys, type DemoKeys } from '../../service/seed/demo-keys.ts';
import { useTestService, hour, startBefore, useFolders } from './support.ts';

const tested = useTestService();

const question = { messages: [{ role: 'user', content: 'What are your opening hours?' }] };

it('the service stores only the hash of an API key', async () => {
  const { publishableKey, secretKey } = tested.service.demo;
  assert.match(publishableKey, /^svc_pk_[\w-]{32}$/);
  assert.match(secretKey, /^svc_sk_[\w-]{32}$/);
  const kept = await tested.rows(apiKeys);
  assert.equal(JSON.stringify(kept).includes(secretKey.slice(7)), false);
  assert.ok(kept.some(({ keyHash }) => keyHash === sha256(secretKey)));
});

it('the service returns 403 secret_key_required to a publishable key for an unknown path, and for another method of the chat', async () => {
  for (const path of ['/nothing/like/this', '/agents/agt_palm_and_clay/chat']) {
    const { status, error } = await tested.call('GET', path, { key: tested.service.demo.publishableKey });
    assert.deepEqual([status, error.code], [403, 'secret_key_required'], path);
  }
});

describe('the service, in the order of its checks', () => {
  const badBody = '{"messages":';

  it('checks the key before everything else', async () => {
    const { error } = await tested.call('POST', '/agents/agt_nobody/chat', { body: badBody });
    assert.equal(error.code, 'missing_key');
  });

  it('checks the scope before the rate limits and the body', async () => {
    const key = await tested.makeKey({ scopes: [] });
    const { error, headers } = await tested.call('POST', tested.chatPath, { key, body: badBody });
    assert.equal(error.code, 'insufficient_scope');
    assert.equal(headers.get('x-ratelimit-limit'), null);
  });

  it('checks the body before the agent, and the agent before the conversation', async () => {
    const key = await tested.makeKey();
    const malformed = await tested.call('POST', '/agents/agt_nobody/chat', { key, body: badBody });
    assert.equal(malformed.error.code, 'malformed_json');
    const invalid = await tested.call('POST', '/agents/agt_nobody/chat', { key, body: { messages: [] } });
    assert.equal(invalid.error.code, 'validation_error');
    const unknown = await tested.call('POST', '/agents/agt_nobody/chat', { key, body: question });
    assert.equal(unknown.error.code, 'not_found');
    const paused = await tested.call('POST', `/agents/${tested.service.demo.pausedAgentId}/chat`, {
      key,
      body: { ...question, conversation_id: 'cnv_never' },
    });
    assert.equal(paused.error.code, 'agent_unavailable');
  });
});

const folder = useFolders();

/** Without a data folder when it is null. */
const keysWith = (passphrase: string, dataDir: string | null = folder(), given: Partial<DemoKeys> = {}) =>
  demoKeys(tested.service.db, {
    workspaceId: 'wsp_palm_and_clay',
    at: tested.clock.now,
    given,
    folder: dataDir ?? undefined,
    encryption: createEncryption(passphrase),
  });
// The service of the tests has keys of its own, encrypted with its own key.
startBefore(async () => {
  await tested.service.db.delete(demoKeyPairs);
});
const validKeys = async () => (await tested.rows(apiKeys, isNull(apiKeys.revokedAt))).length;

describe('the keys of the demo', () => {
  it('are made once for a workspace, whatever the data folder', async () => {
    const first = await keysWith('same');
    const before = await validKeys();
    const others = await Promise.all([keysWith('same'), keysWith('same'), keysWith('same')]);
    for (const keys of others) assert.deepEqual(keys, first);
    assert.equal(await validKeys(), before);
    const stored = JSON.stringify(await tested.rows(demoKeyPairs));
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

describe('a first key that was revoked', () => {
  const hash = ({ secretKey }: { secretKey: string }) => sha256(secretKey);
  const rows = (keyHash: string) => tested.rows(apiKeys, eq(apiKeys.keyHash, keyHash));
  /** Revokes keys as the team page does, and lets retention delete their rows. */
  const revokeAndForget = async (hashes: string[]) => {
    const { db } = tested.service;
    const revokedAt = new Date(tested.clock.now);
    await tested.set(apiKeys, { revokedAt }, inArray(apiKeys.keyHash, hashes));
    tested.clock.now += 91 * 24 * hour;
    await prune({ db, now: () => tested.clock.now });
  };

  const chosen = { publishableKey: 'svc_pk_chosen', secretKey: 'svc_sk_chosen' };
  for (const [name, start, given] of [
    ['with the same data folder', (path) => keysWith('same', path)],
    ['with another data folder', () => keysWith('same')],
    ['without a data folder', () => keysWith('same', null)],
    ['with another encryption key', (path) => keysWith('replaced', path)],
    ['with options that have it', (path) => keysWith('same', path, chosen), chosen],
    [
      'with the data folder of a database that does not know its first keys',
      async (path) => {
        await tested.service.db.delete(demoKeyPairs);
        return keysWith('same', path);
      },
    ],
  ] as [name: string, start: (path: string) => Promise<unknown>, given?: typeof chosen][]) {
    it(`does not come back at a start ${name}, also after its row was deleted`, async () => {
      const path = folder();
      const keys = await keysWith('same', path, given);
      assert.equal((await rows(hash(keys))).length, 1);
      await revokeAndForget([hash(keys)]);
      for (let starts = 0; starts < 2; starts++) await start(path);
      assert.equal((await rows(hash(keys))).length, 0);
      assert.equal((await tested.call('GET', '/me', { key: keys.secretKey })).status, 401);
      await tested.service.db.delete(demoKeyPairs);
    });
  }
});
