import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eq, sql } from 'drizzle-orm';
import * as fc from 'fast-check';
import { apiKeys, contacts, events, leads, waitingContacts } from '../../service/db/schema.ts';
import type { ErrorDetail } from '../../contract/wire.ts';
import { queryRows } from '../../service/db/database.ts';
import { valuesOf } from '../support/values-of.ts';
import { orderText, submitOrder } from './scenarios.ts';
import { useTestService } from './support.ts';

const tested = useTestService();

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

  it('sends no contact.created for the contact of a lead form', async () => {
    const email = `${fresh()}@d.example`;
    await submitOrder(tested, orderText({ Email: email }));
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

const emails = ['one@keys.example', 'Two@keys.example'];
const phones = ['+968 9000 1111', '٠٠٩٦٨٩٠٠٠٢٢٢٢'];
const ways = ['contract', 'team'] as const;

type Step =
  | { kind: 'create'; address: object }
  | { kind: 'change'; at: number; address: object }
  | { kind: 'delete'; at: number; way: (typeof ways)[number] };

const address = fc.oneof(
  fc.record({ email: fc.constantFrom(...emails, '') }),
  fc.record({ phone: fc.constantFrom(...phones, '') }),
  fc.record({ email: fc.constantFrom(...emails), phone: fc.constantFrom(...phones) }),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), address }),
  fc.record({ kind: fc.constant('change' as const), at: fc.nat(20), address }),
  fc.record({ kind: fc.constant('delete' as const), at: fc.nat(20), way: fc.constantFrom(...ways) }),
);

it('the address of a contact finds a contact as long as one has it, whatever was created, changed, deleted or erased before', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
      await tested.service.db.delete(contacts);
      let ids: string[] = [];
      for (const each of steps) {
        tested.nextMinute();
        const id = each.kind === 'create' ? undefined : ids[each.at % Math.max(1, ids.length)];
        if (each.kind === 'create') {
          const { body } = await save({ external_id: fresh(), ...each.address });
          ids = [...new Set([...ids, body.id])];
        } else if (id === undefined) continue;
        else if (each.kind === 'change') await tested.api('PATCH', `/contacts/${id}`, each.address);
        else {
          const { status } = await (each.way === 'contract'
            ? tested.api('DELETE', `/contacts/${id}`)
            : tested.team('POST', `/contacts/${id}/erase`));
          assert.equal(status, 204);
          ids = ids.filter((other) => other !== id);
        }
      }
      const stored = await tested.rows(contacts);
      tested.nextMinute();
      for (const { email, phone } of stored) {
        for (const [name, value] of Object.entries({ email, phone })) {
          if (value === '') continue;
          const { status, body } = await save({ [name]: value });
          assert.equal(status, 200, `${name} ${value} creates another contact`);
          assert.ok(stored.some(({ id }) => id === body.id));
        }
      }
    }),
    { numRuns: 40 },
  );
});

describe('an object that is merged by key', () => {
  const makeLead = async () => {
    const { id: agentId } = (await tested.api('GET', '/agents')).body.data[0];
    const id = `lead_${fresh()}`;
    const at = new Date(tested.clock.now);
    const data = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, index]));
    await tested.add(leads, { id, workspaceId: 'wsp_palm_and_clay', agentId, channel: 'api', data, createdAt: at });
    return `/leads/${id}`;
  };

  it('does not grow beyond its limit, in as many calls as one likes, and shrinks', async () => {
    const path = await makeLead();
    const { status, error } = await tested.api('PATCH', path, { data: { more: 1 } });
    assert.deepEqual([status, error.details], [422, [{ field: 'data', code: 'too_big', message: 'At most 50 keys.' }]]);
    assert.equal((await tested.api('PATCH', path, { data: { more: 1, k0: null } })).status, 200);
    assert.equal((await tested.api('PATCH', path, { data: { k1: 'changed', k2: null } })).status, 200);
    assert.equal(Object.keys((await tested.api('GET', path)).body.data).length, 49);
  });

  it('loses any key by null, also one that could not be set', async () => {
    const { body: contact } = await save({ external_id: fresh() });
    const odd = { 'Über key': 'x', 'a.b': 1, ['k'.repeat(200)]: true, kept: 1 };
    await tested.set(contacts, { attributes: odd });
    const removed = Object.fromEntries(Object.keys(odd).map((name) => [name, name === 'kept' ? 2 : null]));
    const { status, body } = await tested.api('PATCH', `/contacts/${contact.id}`, { attributes: removed });
    assert.deepEqual([status, body.attributes], [200, { kept: 2 }]);
    const set = await tested.api('PATCH', `/contacts/${contact.id}`, { attributes: { 'a.b': 1 } });
    assert.equal(set.status, 422);
    assert.equal((set.error.details as ErrorDetail[])[0]!.field, 'attributes.a.b');
  });

  it('rejects a key that libraries leave out, instead of losing it', async () => {
    const { body: contact } = await save({ external_id: fresh() });
    const lead = await makeLead();
    for (const [path, name] of [
      [`/contacts/${contact.id}`, 'attributes'],
      [lead, 'data'],
    ] as const) {
      for (const spelled of ['__proto__', '\\u005f_proto__']) {
        const { status, error } = await tested.api('PATCH', path, `{"${name}":{"${spelled}":"x"}}`);
        assert.equal(status, 422);
        assert.equal((error.details as ErrorDetail[])[0]!.code, 'reserved_name');
      }
    }
  });
});

it('a key of the API that is revoked again is deleted when the first revocation is old enough', async () => {
  const made = await tested.callTeam('POST', '/keys', { label: 'x', kind: 'secret', scopes: ['chat'] });
  const revoke = () => tested.team('DELETE', `/keys/${made.body.id}`);
  const revokedAt = async () => (await tested.rows(apiKeys)).find(({ id }) => id === made.body.id)!.revokedAt;
  assert.equal((await revoke()).status, 204);
  const first = await revokedAt();
  tested.nextMinute();
  assert.equal((await revoke()).status, 204);
  assert.deepEqual(await revokedAt(), first);
});

for (const column of ['emailKey', 'phoneKey'] as const) {
  it(`the next contact with the ${column} of a deleted one is found by an index`, async () => {
    const { isWaiting, address: form } = waitingContacts[column];
    await tested.service.db.transaction(async (tx) => {
      await tx.execute(sql`set local enable_seqscan = off`);
      const plan = await queryRows<{ 'QUERY PLAN': string }>(
        tx,
        sql`explain select id from contacts where workspace_id = 'wsp_x' and ${isWaiting} and ${form} = 'x'`,
      );
      const name = column === 'emailKey' ? 'contacts_waiting_email' : 'contacts_waiting_phone';
      assert.match(plan.map((row) => row['QUERY PLAN']).join('\n'), new RegExp(`Index Cond: .*workspace_id.* AND `));
      assert.match(plan.map((row) => row['QUERY PLAN']).join('\n'), new RegExp(name));
    });
  });
}
