import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { withoutNulls } from '../../service/core/absent-members.ts';
import { useTestService } from './support.ts';

describe('A member that is null', () => {
  const person = z.union([z.object({ token: z.string() }), z.object({ id: z.string(), name: z.string().optional() })]);
  const schema = z
    .object({ text: z.string(), note: z.string().optional(), end: z.string().nullish(), person: person.optional() })
    .refine(() => true);

  it('is absent where it is optional, at every level, and stays where null has a meaning', () => {
    const value = { text: 't', note: null, end: null, person: { id: '1', name: null } };
    assert.deepEqual(withoutNulls(schema, value), { text: 't', end: null, person: { id: '1' } });
  });

  it('is absent in the items of a list, and in an object with a default', () => {
    const item = z.object({ a: z.string().optional() });
    const both = z.object({ list: z.array(item), def: item.default({}) });
    assert.deepEqual(withoutNulls(both, { list: [{ a: null }], def: { a: null } }), { list: [{}], def: {} });
  });

  it('stays where it is required or unknown, and in values of any shape', () => {
    for (const value of [{ text: null }, { text: 't', other: null }, [null], null, 'null'])
      assert.deepEqual(withoutNulls(schema, value), value);
    assert.deepEqual(withoutNulls(z.object({ result: z.record(z.string(), z.unknown()) }), { result: { a: null } }), {
      result: { a: null },
    });
  });
});

describe('An optional member that is null', () => {
  const tested = useTestService();

  it('is accepted in a call', async () => {
    const nothing = {
      conversation_id: null,
      conversation_token: null,
      contact: null,
      client_tools: null,
      locale: null,
    };
    assert.equal((await tested.chat('Hello', nothing as object)).status, 200);
    const contact = { external_id: 'with-nulls', name: null, email: null, attributes: null, consent_marketing: null };
    assert.equal((await tested.api('POST', '/contacts', contact)).status, 201);
  });

  it('is accepted in the token of a visitor', async () => {
    const secret = await tested.newIdentitySecret();
    const token = await tested.identityToken(secret, { sub: 'user', email: null, name: null });
    assert.equal((await tested.chat('Hello', { contact: { token } })).status, 200);
  });
});
