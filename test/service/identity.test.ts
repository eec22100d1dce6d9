import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { beforeEach, describe, it } from 'node:test';
import { eq, notInArray } from 'drizzle-orm';
import type { FormBlock } from '../../contract/wire.ts';
import { identitySecrets, leadFields } from '../../service/db/schema.ts';
import { valuesOf } from '../support/values-of.ts';
import { useTestService } from './support.ts';

const tested = useTestService();

let serial = 0;
const fresh = () => `u${++serial}`;

describe('the service, for a visitor’s identity', () => {
  let secret: string;
  beforeEach(async () => {
    secret = await tested.newIdentitySecret();
  });
  const seconds = () => Math.floor(tested.clock.now / 1000);
  const token = (claims: object) => tested.identityToken(secret, claims);
  const say = async (contact: any, more: object = {}) => tested.chat('Hello', { contact, ...more });

  it('keeps 20 attributes of a contact, those of the latest token first, so that the contact can still be changed', async () => {
    const sub = fresh();
    const many = (prefix: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, prefix]));
    assert.equal((await say({ token: await token({ sub, attributes: many('a', 20) }) })).status, 200);
    assert.equal(
      (await say({ token: await token({ sub, attributes: { ...many('b', 18), a19: 'new' } }) })).status,
      200,
    );
    const [contact] = (await tested.api('GET', `/contacts?external_id=${sub}`)).body.data;
    assert.deepEqual(contact.attributes, { ...many('b', 18), a19: 'new', a0: 'a' });
    const changed = await tested.api('PATCH', `/contacts/${contact.id}`, { name: 'Huda' });
    assert.equal(changed.status, 200);
  });

  it('gives a conversation to the first of two people who claim it at once', async () => {
    const { conversation_id } = (await tested.chat('Hello')).body;
    const turns = await Promise.all(
      [fresh(), fresh()].map(async (sub) => say({ token: await token({ sub }) }, { conversation_id })),
    );
    assert.deepEqual(
      turns.map(({ status }) => status).toSorted((one, other) => one - other),
      [200, 409],
    );
    const messages = (await tested.api('GET', `/conversations/${conversation_id}/messages`)).body.data;
    assert.equal(messages.length, 4);
  });

  it('treats two ids that differ by an invisible character as two people', async () => {
    const id = fresh();
    const first = await say({ token: await token({ sub: id }) });
    const { conversation_id } = first.body;
    const other = await say({ token: await token({ sub: `${id[0]}\u200b${id.slice(1)}` }) }, { conversation_id });
    assert.equal(other.error.code, 'identity_mismatch');
  });

  it('accepts a token for exactly 60 seconds after its end', async () => {
    const justExpired = { token: await token({ sub: fresh(), exp: seconds() - 60 }) };
    assert.equal(tested.clock.now % 1000, 0);
    assert.equal((await say(justExpired)).status, 200);
    tested.clock.now += 1;
    assert.equal((await say(justExpired)).error.code, 'identity_rejected');
    tested.clock.now += 999;
  });

  it('rejects a token that another library could read differently, before any key is used', async () => {
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
      'with bytes that are not UTF-8': `${encode('{"alg":"HS256"}')}.${Buffer.from([0x7b, 0xff, 0x7d]).toString(
        'base64url',
      )}.${signature}`,
    };
    // With an unreadable secret, only a token that is checked with it gets 503.
    await tested.set(identitySecrets, { encrypted: 'unreadable' });
    assert.equal((await say({ token: valid })).status, 503);
    tested.nextMinute();
    for (const [what, refused] of Object.entries(tokens)) {
      assert.deepEqual([(await say({ token: refused })).error?.code], ['identity_rejected'], what);
    }
    await tested.service.db.delete(identitySecrets);
  });

  it('asks only for the fields of a form that the contact does not have', async () => {
    const sub = fresh();
    const contact = { token: await token({ sub, name: 'Aisha', email: `${sub}@g.example` }) };
    await tested.set(leadFields, { askWhen: 'if_missing' }, eq(leadFields.key, 'email'));
    const chatKey = await tested.makeKey();
    const asked = await tested.chat('I want a custom order', { contact, key: chatKey });
    assert.ok(!JSON.stringify(asked.body.message!.blocks).includes('"email"'));
    const text = 'Name: Aisha\nPhone: 90001111\nWhat to make: Tiles\nHow many: 2';
    await tested.chat(text, { key: chatKey, conversation_id: asked.body.conversation_id });
    const [lead] = (await tested.api('GET', '/leads?limit=1')).body.data;
    assert.equal(lead.data.email, `${sub}@g.example`);
  });

  it('asks for all fields of a form when the contact has them, because no form is empty', async () => {
    const sub = fresh();
    const contact = { token: await token({ sub, name: 'Aisha', email: `${sub}@g.example`, phone: '90001112' }) };
    const { db } = tested.service;
    await db.delete(leadFields).where(notInArray(leadFields.key, ['name', 'email']));
    await tested.set(leadFields, { askWhen: 'if_missing' });
    const asked = await tested.chat('I want a custom order', { contact });
    const [form] = asked.body.message!.blocks as FormBlock[];
    assert.deepEqual(new Set(valuesOf(form!.fields, 'key')), new Set(['name', 'email']));
    await db.delete(leadFields);
    const without = await tested.chat('I want a custom order', { contact });
    assert.notEqual(without.body.outcome, 'form');
  });
});
