import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { beforeEach, describe, it } from 'node:test';
import { eq } from 'drizzle-orm';
import { SignJWT, UnsecuredJWT } from 'jose';
import { conversations, identitySecrets, leadFields } from '../../service/db/schema.ts';
import { rotateIdentitySecret } from '../../service/contacts/identity.ts';
import { createEncryption } from '../../service/core/encryption.ts';
import { hour, useTestService } from './support.ts';
import { contactCalls } from './contact-calls.ts';

process.env['WORKSPACE_ENCRYPTION_KEY'] = 'for this test';
const tested = useTestService();
const key = tested.secretKey;
beforeEach(() => tested.nextMinute());

const { fresh, save, read, createdEvents } = contactCalls(tested);

describe('the service, for a visitor’s identity', () => {
  const secret = 'a secret of the agent, long enough';
  const seconds = () => Math.floor(tested.clock.now / 1000);
  const rotate = (to: string, endPrevious = false) =>
    rotateIdentitySecret(
      { db: tested.service.db, now: () => tested.clock.now, encryption: createEncryption('for this test') },
      { agentId: tested.agentId, secret: to, endPrevious },
    );
  const token = async (claims: object, { by = secret, alg = 'HS256' } = {}) => {
    return new SignJWT({ exp: seconds() + 3600, ...claims })
      .setProtectedHeader({ alg })
      .sign(new TextEncoder().encode(alg === 'HS256' ? by : by.padEnd(64, '.')));
  };
  const hash = (id: string, by = secret) => createHmac('sha256', by).update(id).digest('hex');
  const row = async (id: string) =>
    (await tested.service.db.select().from(conversations).where(eq(conversations.id, id)))[0]!;
  const say = async (contact: any, more: object = {}) => tested.chat('Hello', { contact, ...more });

  it('stores an identity as an unproven claim while the agent has no secret', async () => {
    await tested.service.db.delete(identitySecrets);
    for (const contact of [{ token: 'junk' }, { user_id: 'u', user_hash: 'nope', name: 'Eve' }]) {
      const { status, body } = await say(contact);
      assert.equal(status, 200);
      const { contactId, claim } = await row(body.conversation_id);
      assert.equal(contactId, null);
      assert.ok(claim);
    }
  });

  it('keeps 20 attributes of a contact, those of the latest token first, so that the contact can still be changed', async () => {
    await rotate(secret, true);
    const sub = fresh();
    const many = (prefix: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, prefix]));
    assert.equal((await say({ token: await token({ sub, attributes: many('a', 20) }) })).status, 200);
    assert.equal(
      (await say({ token: await token({ sub, attributes: { ...many('b', 18), a19: 'new' } }) })).status,
      200,
    );
    const [contact] = (await tested.call('GET', `/contacts?external_id=${sub}`, { key })).body.data;
    assert.deepEqual(contact.attributes, { ...many('b', 18), a19: 'new', a0: 'a' });
    const changed = await tested.call('PATCH', `/contacts/${contact.id}`, { key, body: { name: 'Huda' } });
    assert.equal(changed.status, 200);
  });

  it('links the conversation to a verified contact for a valid token', async () => {
    await rotate(secret);
    const sub = fresh();
    const { status, body } = await say({ token: await token({ sub, name: 'Aisha', email: `${sub}@e.example` }) });
    assert.equal(status, 200);
    const contact = await read((await row(body.conversation_id)).contactId!);
    assert.deepEqual(
      [contact.external_id, contact.name, contact.verified, contact.source],
      [sub, 'Aisha', true, 'identify'],
    );
    assert.equal((await createdEvents(contact.id)).length, 1);
  });

  it('proves only the user id by a hash, and never matches the e-mail address beside it', async () => {
    const email = `${fresh()}@f.example`;
    const owner = (await save({ email })).body;
    const user_id = fresh();
    const { body } = await say({ user_id, user_hash: hash(user_id), email, name: 'Eve' });
    const { contactId, claim } = await row(body.conversation_id);
    assert.notEqual(contactId, owner.id);
    assert.equal((await read(contactId!)).email, '');
    assert.deepEqual(claim, { email, name: 'Eve' });
  });

  it('rejects an invalid proof and stores nothing of it', async () => {
    const sub = fresh();
    const refused = {
      'another secret': { token: await token({ sub }, { by: 'another secret' }) },
      'another algorithm': { token: await token({ sub }, { alg: 'HS512' }) },
      none: { token: new UnsecuredJWT({ sub, exp: seconds() + 60 }).encode() },
      'no sub': { token: await token({}) },
      'no exp': { token: await token({ sub, exp: undefined }) },
      'expired 61 seconds ago': { token: await token({ sub, exp: seconds() - 61 }) },
      'valid for more than a day': { token: await token({ sub, exp: seconds() + 86_401 }) },
      'made for more than a day': { token: await token({ sub, iat: seconds() - 86_000, exp: seconds() + 3600 }) },
      '21 attributes': {
        token: await token({
          sub,
          attributes: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`a${at}`, 1])),
        }),
      },
      'a long attribute': { token: await token({ sub, attributes: { a: 'x'.repeat(201) } }) },
      junk: { token: 'a.b.c' },
      'another hash': { user_id: sub, user_hash: hash('other') },
      'an upper-case hash': { user_id: sub, user_hash: hash(sub).toUpperCase() },
    };
    for (const [what, contact] of Object.entries(refused)) {
      const { status, error } = await say(contact);
      assert.deepEqual([status, error?.code], [401, 'identity_rejected'], what);
    }
    const { body } = await tested.call('GET', `/contacts?external_id=${sub}`, { key });
    assert.deepEqual(body.data, []);
    const justExpired = { token: await token({ sub, exp: seconds() - 60 }) };
    assert.equal(tested.clock.now % 1000, 0);
    assert.equal((await say(justExpired)).status, 200);
    tested.clock.now += 1;
    assert.equal((await say(justExpired)).error.code, 'identity_rejected');
    tested.clock.now += 999;
  });

  it('rejects a token that another library could read differently, before any key is used', async () => {
    await rotate(secret);
    const sub = fresh();
    const valid = await token({ sub });
    const [header, payload, signature] = valid.split('.') as [string, string, string];
    const encode = (text: string) => Buffer.from(text).toString('base64url');
    const signed = (head: string, claims: string) => {
      const text = `${encode(head)}.${encode(claims)}`;
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
    };
    const claims = JSON.stringify({ sub, exp: seconds() + 60 });
    // The last character of a signature of 32 bytes has two unused bits.
    const other = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = other[other.indexOf(signature.at(-1)!) + 1]!;
    assert.equal((await say({ token: signed('{"alg":"HS256"}', claims) })).status, 200);
    const tokens = {
      padded: `${header}.${payload}.${signature}=`,
      'with a line end': `${valid}\n`,
      'with a space': ` ${valid}`,
      'with another form of the last character': `${header}.${payload}.${signature.slice(0, -1)}${last}`,
      'with standard base64': `${header}.${payload}.${signature.slice(0, -1)}+`,
      'with four parts': `${valid}.x`,
      'with two algorithms': signed('{"alg":"none","alg":"HS256"}', claims),
      'with two algorithms, one escaped': signed('{"\\u0061lg":"none","alg":"HS256"}', claims),
      'with two subjects': signed('{"alg":"HS256"}', claims.replace('{', '{"sub":"someone",')),
      'with a list as header': signed('["HS256"]', claims),
      'with an attribute that is there twice': signed(
        '{"alg":"HS256"}',
        claims.replace('{', '{"attributes":{"plan":"free","plan":"gold"},'),
      ),
      'without an algorithm': signed('{"typ":"JWT"}', claims),
      'for HS512': signed('{"alg":"HS512"}', claims),
      'with bytes that are not UTF-8': `${encode('{"alg":"HS256"}')}.${Buffer.from([0x7b, 0xff, 0x7d]).toString('base64url')}.${signature}`,
    };
    // With an unreadable secret, only a token that is checked with it gets 503.
    await tested.service.db.update(identitySecrets).set({ encrypted: 'unreadable' });
    assert.equal((await say({ token: valid })).status, 503);
    tested.nextMinute();
    for (const [what, refused] of Object.entries(tokens)) {
      assert.deepEqual([(await say({ token: refused })).error?.code], ['identity_rejected'], what);
    }
    await rotate(secret, true);
  });

  it('rejects the identity of another contact before it runs the turn', async () => {
    const chatKey = await tested.makeKey();
    const first = await say({ token: await token({ sub: fresh() }) }, { key: chatKey });
    const init = { key: chatKey, conversation_id: first.body.conversation_id };
    const { status, error } = await say({ token: await token({ sub: fresh() }) }, init);
    assert.deepEqual([status, error.code], [409, 'identity_mismatch']);
    const { body } = await tested.call('GET', `/conversations/${first.body.conversation_id}/messages`, { key });
    assert.equal(body.data.length, 2);
  });

  it('accepts the previous secret for a day after a rotation, unless it is ended', async () => {
    const sub = fresh();
    await rotate('the next secret');
    assert.equal((await say({ token: await token({ sub }) })).status, 200);
    assert.equal((await say({ token: await token({ sub }, { by: 'the next secret' }) })).status, 200);
    tested.clock.now += 24 * hour;
    assert.equal((await say({ token: await token({ sub }) })).status, 401);
    await rotate(secret, true);
    assert.equal((await say({ token: await token({ sub }, { by: 'the next secret' }) })).status, 401);
    assert.equal((await say({ token: await token({ sub }) })).status, 200);
  });

  it('returns 503 when the identity secret cannot be decrypted', async () => {
    const { db } = tested.service;
    const [kept] = await db.select().from(identitySecrets);
    await db.update(identitySecrets).set({ encrypted: createEncryption('another key').encrypt('x') });
    const { status, error, headers } = await say({ token: await token({ sub: 'u' }) });
    assert.deepEqual([status, error.code, headers.get('retry-after')], [503, 'identity_unavailable', '30']);
    await db.update(identitySecrets).set({ encrypted: kept!.encrypted });
  });

  it('uses notes of ended conversations in the next one, and asks only for missing fields', async () => {
    const { db } = tested.service;
    const sub = fresh();
    const proof = async () => ({ token: await token({ sub, name: 'Aisha', email: `${sub}@g.example` }) });
    const first = await tested.chat('Where can I park?', { contact: await proof() });
    assert.match((await say(await proof())).body.message!.content, /Hello, and welcome/);
    tested.clock.now += 24 * hour;
    await tested.service.work();
    const { body } = await tested.call('GET', `/conversations/${first.body.conversation_id}`, { key });
    assert.deepEqual([body.state, body.summary], ['closed', 'Asked: Where can I park?']);
    assert.match((await say(await proof())).body.message!.content, /Welcome back, Aisha!/);
    await db.update(leadFields).set({ askWhen: 'if_missing' }).where(eq(leadFields.key, 'email'));
    const chatKey = await tested.makeKey();
    const asked = await tested.chat('I want a custom order', { contact: await proof(), key: chatKey });
    assert.ok(!JSON.stringify(asked.body.message!.blocks).includes('"email"'));
    const text = 'Name: Aisha\nPhone: 90001111\nWhat to make: Tiles\nHow many: 2';
    await tested.chat(text, { key: chatKey, conversation_id: asked.body.conversation_id });
    const [lead] = (await tested.call('GET', '/leads?limit=1', { key })).body.data;
    assert.equal(lead.data.email, `${sub}@g.example`);
  });
});
