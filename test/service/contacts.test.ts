import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eq } from 'drizzle-orm';
import { events } from '../../service/db/schema.ts';
import { useTestService } from './support.ts';
import { valuesOf } from '../support/values-of.ts';

const tested = useTestService();
const key = tested.secretKey;

let serial = 0;
const fresh = () => `u${++serial}`;
const save = (body: object) => tested.api('POST', '/contacts', body);

describe('the contacts API', () => {
  it('creates one contact when many calls save it at once', async () => {
    const id = fresh();
    const all = await Promise.all(Array.from({ length: 5 }, () => save({ email: `${id}@b.example` })));
    assert.equal(new Set(all.map(({ body }) => body.id)).size, 1);
    assert.equal(all.filter(({ status }) => status === 201).length, 1);
  });

  it('rejects an e-mail address that is not valid', async () => {
    assert.equal((await save({ email: 'aisha' })).status, 422);
  });

  it('sends no contact.created for the contact of a lead form', async () => {
    const { conversation_id } = (await tested.chat('I want a custom order', { key })).body;
    const email = `${fresh()}@d.example`;
    const text = `Name: Huda\nPhone: 92223333\nEmail: ${email}\nWhat to make: Tiles\nHow many: 1`;
    await tested.chat(text, { key, conversation_id });
    const [contact] = (await tested.api('GET', `/contacts?email=${email}`)).body.data;
    const created = await tested.rows(events, eq(events.type, 'contact.created'));
    assert.ok(created.every(({ data }) => data['id'] !== contact.id));
  });
});

describe('the address and the id of a contact', () => {
  const composed = 'jos\u00e9';
  const decomposed = 'jose\u0301';
  const marks = '\u200e\u200f\u061c\u202a\u202c\u2066\u2069\u200b\u200c\u200d\u2060\ufeff\u00ad'.split('');

  for (const [name, one, other] of [
    ['in NFC and NFD', `${composed}@norm.example`, `${decomposed}@norm.example`],
    ['with a domain in letters and in ASCII', 'huda@m\u00fcnchen.example', 'huda@xn--mnchen-3ya.example'],
    ['with a domain in NFD', 'sami@m\u00fcnchen.example', 'sami@mu\u0308nchen.example'],
    ['with a domain in Arabic', 'noor@\u0645\u062b\u0627\u0644.example', 'noor@xn--mgbh0fb.example'],
    ['in any case', 'Case@Norm.example', 'case@norm.example'],
    ['with no-break spaces around it', 'space@norm.example', '\u00a0space@norm.example\u202f'],
    ...marks.map(
      (mark) =>
        [
          `with U+${mark.codePointAt(0)!.toString(16)}`,
          `m${mark.codePointAt(0)}@norm.example`,
          `${mark}m${mark.codePointAt(0)}@no${mark}rm.example`,
        ] as const,
    ),
  ] as const)
    it(`is the same ${name}`, async () => {
      const first = await save({ email: one });
      assert.equal(first.status, 201);
      const second = await save({ email: other, name: 'Again' });
      assert.deepEqual([second.status, second.body.id], [200, first.body.id]);
      const found = await tested.api('GET', `/contacts?email=${encodeURIComponent(other)}`);
      assert.deepEqual(valuesOf(found.body.data, 'id'), [first.body.id]);
      assert.doesNotMatch(second.body.email, /[^\x21-\x7e\u00e9]/);
    });

  it('is another person’s if it is an external id with any other character, also an invisible one', async () => {
    const first = await save({ external_id: 'Id 7' });
    assert.deepEqual((await save({ external_id: 'Id 7' })).body.id, first.body.id);
    for (const external_id of ['id 7', 'Id  7', 'Id7', 'Id\u200b 7', '\ufeffId 7'])
      assert.notEqual((await save({ external_id })).body.id, first.body.id);
    const found = await tested.api('GET', `/contacts?external_id=${encodeURIComponent('Id\u200e 7')}`);
    assert.deepEqual(found.body.data, []);
  });
});
