import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { eq } from 'drizzle-orm';
import { createEncryption } from '../../service/core/encryption.ts';
import { actions, webhookEndpoints } from '../../service/db/schema.ts';
import { useReceiver } from './receiver.ts';
import { createTestService, type TestService, useFolders } from './support.ts';

const dataDir = useFolders()();
const now = Date.parse('2026-10-05T06:00:00.000Z');
const receiver = useReceiver(() => now);
const start = (encryptionKey: string, previousEncryptionKey?: string) =>
  createTestService({
    dataDir,
    allowLoopback: true,
    encryptionKey,
    ...(previousEncryptionKey === undefined ? {} : { previousEncryptionKey }),
  });

const reencrypted = ({ log }: TestService) => log.find(({ event }) => event === 'secrets_reencrypted');

describe('the encryption key', () => {
  it('is replaced without the loss of a secret, and the previous one is of no more use', async () => {
    const first = await start('first');
    const { secretKey: key } = first.service.demo;
    const { body: endpoint } = await first.api('POST', '/webhooks', { url: receiver.url, events: ['contact.created'] });
    receiver.secret = endpoint.secret;
    const secret = await first.newIdentitySecret();
    const sealed = createEncryption('first').encrypt('{"x-token":"t"}');
    const [changed] = await first.service.db.update(actions).set({ encryptedHeaders: sealed }).returning();
    await first.service.close();

    const second = await start('second', 'first');
    const { level: _, event: __, ...counts } = reencrypted(second)!;
    assert.equal(counts['unreadable'], 0);
    assert.ok(Number(counts['changed']) >= 4, JSON.stringify(counts));
    assert.equal(second.service.demo.secretKey, key);
    await second.service.close();

    const last = await start('second');
    assert.equal(last.service.demo.secretKey, key, 'the first keys of the workspace are found again');
    await last.call('POST', '/contacts', { key, body: { external_id: 'signed' } });
    await last.service.work();
    assert.equal(receiver.received.length, 1, 'the signature is that of the old secret');
    const user_hash = createHmac('sha256', secret).update('u1').digest('hex');
    assert.equal((await last.chat('Hello', { key, contact: { user_id: 'u1', user_hash } })).status, 200);
    const [action] = await last.rows(actions, eq(actions.id, changed!.id));
    assert.equal(createEncryption('second').decrypt(action!.encryptedHeaders!), '{"x-token":"t"}');
    const [stored] = await last.rows(webhookEndpoints);
    assert.equal(createEncryption('first').decrypt(stored!.encryptedSecret), undefined);
    await last.service.close();
  });

  it('is replaced once, and secrets of an unknown key are counted', async () => {
    const again = await start('second', 'first');
    assert.deepEqual(reencrypted(again), { level: 'info', event: 'secrets_reencrypted', changed: 0, unreadable: 0 });
    const encryptedSecret = createEncryption('lost').encrypt('x');
    await again.set(webhookEndpoints, { encryptedSecret });
    await again.service.close();
    const last = await start('third', 'second');
    assert.equal(reencrypted(last)?.['unreadable'], 1);
    await last.service.close();
  });
});
