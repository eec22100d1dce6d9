/**
 * No copy outlives the fact that it was derived from. A new kind of copy gets a row here, unless another file tests it: the first keys
 * (keys.test.ts), the rows that an erasure deletes (personal-data.test.ts), old replays (retention.test.ts) and the index in
 * memory (statements/sources.ts).
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eq, sql } from 'drizzle-orm';
import { createEncryption } from '../../service/core/encryption.ts';
import { rotateIdentitySecret } from '../../service/contacts/identity.ts';
import { queryRows } from '../../service/db/database.ts';
import { prune } from '../../service/db/retention.ts';
import {
  actionCalls,
  actions,
  agents,
  apiKeys,
  chunks,
  contacts,
  idempotencyKeys,
  identitySecrets,
  vocabulary,
} from '../../service/db/schema.ts';
import { sha256 } from '../../service/core/ids.ts';
import { scopes } from '../../service/core/scopes.ts';
import { conversationOf, submitOrder } from './scenarios.ts';
import { hour, useTestService } from './support.ts';

const tested = useTestService();
const db = () => tested.service.db;
const pruneNow = () => prune({ db: db(), now: () => tested.clock.now });

let serial = 0;
const addContact = async (headers: Record<string, string> = {}) => {
  serial++;
  const email = `copy-${serial}@c.example`;
  const body = { external_id: `copy-${serial}`, email, name: `Copy Number ${serial}` };
  return { email, body, contact: (await tested.api('POST', '/contacts', body, headers)).body };
};
const eraseContact = (id: string) => tested.team('POST', `/contacts/${id}/erase`);
const addAction = async (body: object) =>
  (await tested.api('POST', `/agents/${tested.agentId}/actions`, { name: `copy_${++serial}`, ...body })).body;
/** Returns the names of the tables with a row that contains a text. */
const tablesWith = async (text: string): Promise<string[]> => {
  const tables = await queryRows<{ name: string }>(
    db(),
    sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await queryRows<object>(
      db(),
      sql`select 1 from ${sql.identifier(name)} as each where to_jsonb(each)::text like ${`%${text}%`} limit 1`,
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
};

interface Copy {
  copy: string;
  fact: string;
  check(): Promise<void>;
}

const copies: Copy[] = [
  {
    copy: 'the replays of a key',
    fact: 'the key was revoked',
    check: async () => {
      const own = await tested.makeKey({ scopes: [...scopes] });
      const init = {
        key: own,
        body: { external_id: 'revoked', name: 'Revoked Caller' },
        headers: { 'idempotency-key': 'revoked' },
      };
      assert.equal((await tested.call('POST', '/contacts', init)).status, 201);
      const revokedAt = new Date(tested.clock.now);
      await tested.set(apiKeys, { revokedAt }, eq(apiKeys.keyHash, sha256(own)));
      assert.equal((await tested.call('POST', '/contacts', init)).status, 401);
      tested.clock.now += 91 * 24 * hour;
      await pruneNow();
      assert.equal(await db().$count(idempotencyKeys, eq(idempotencyKeys.key, 'revoked')), 0);
      await db().delete(contacts).where(eq(contacts.externalId, 'revoked'));
    },
  },
  {
    copy: 'the encrypted identity secret of before',
    fact: 'it stopped to be valid a day after its replacement',
    check: async () => {
      const encryption = createEncryption('for copies');
      const context = { now: () => tested.clock.now, encryption };
      for (const secret of ['first secret', 'second secret'])
        await rotateIdentitySecret(db(), context, { agentId: tested.agentId, secret, endPrevious: false });
      const previous = async () => (await tested.rows(identitySecrets))[0]!.previousEncrypted;
      await pruneNow();
      assert.notEqual(await previous(), null);
      tested.clock.now += 24 * hour + 1;
      await pruneNow();
      assert.equal(await previous(), null);
      await db().delete(identitySecrets);
    },
  },
  {
    copy: 'the encrypted headers of an action',
    fact: 'the headers were removed',
    check: async () => {
      const http = { kind: 'http', url_template: 'https://93.184.216.34/a' };
      const action = await addAction({ ...http, headers: { 'X-Api-Key': 'hidden' } });
      const stored = async () => (await tested.rows(actions, eq(actions.id, action.id)))[0]!;
      assert.notEqual((await stored()).encryptedHeaders, null);
      await tested.api('PATCH', `/agents/${tested.agentId}/actions/${action.id}`, { headers: {} });
      assert.equal((await stored()).encryptedHeaders, null);
    },
  },
  ...(['deleted', 'erased'] as const).map((how) => ({
    copy: `the replay of a call that saved or changed a contact, and every other copy of its address,`,
    fact: `the contact was ${how}`,
    check: async () => {
      const { contact, email, body } = await addContact({ 'idempotency-key': `contact-${how}` });
      const changed = { ...body, name: `Changed Before ${how}` };
      assert.equal((await tested.api('POST', '/contacts', changed, { 'idempotency-key': how })).status, 200);
      await conversationOf(tested, contact.id, 'When are you open on Monday?');
      if (how === 'deleted') await tested.api('DELETE', `/contacts/${contact.id}`);
      else await eraseContact(contact.id);
      for (const text of [email, body.name, changed.name]) assert.deepEqual(await tablesWith(text), [], text);
    },
  })),
  {
    copy: 'a passage with its words and its vector',
    fact: 'the text of the source was changed',
    check: async () => {
      const path = await tested.addText('# Xylophones\n\nWe tune xylophones.');
      const id = path.split('/').at(-1)!;
      await tested.set(chunks, { embedding: [1, 0], embeddingModel: 'm' }, eq(chunks.sourceId, id));
      await tested.api('PATCH', path, { text: '# Bassoons\n\nWe tune bassoons.' });
      await tested.service.work();
      const stored = await tested.rows(chunks, eq(chunks.sourceId, id));
      assert.deepEqual(
        stored.map(({ title, embedding }) => [title, embedding]),
        [['Bassoons', null]],
      );
      const words = await tested.rows(vocabulary, eq(vocabulary.sourceId, id));
      assert.ok(words.length > 0 && words.every(({ word }) => !word.startsWith('xylo')));
      await tested.api('DELETE', path);
    },
  },
  {
    copy: 'the actions in memory',
    fact: 'the action was disabled',
    check: async () => {
      const config = {
        fields: [{ key: 'topic', label_en: 'Topic of the gazette' }],
        asked_by: ['Subscribe to the gazette'],
      };
      const action = await addAction({ kind: 'collect_data', enabled: true, config });
      const outcome = async () => (await tested.chat('Subscribe to the gazette')).body.outcome;
      assert.equal(await outcome(), 'form');
      await tested.api('PATCH', `/agents/${tested.agentId}/actions/${action.id}`, { enabled: false });
      assert.notEqual(await outcome(), 'form');
    },
  },
  {
    copy: 'the agent that a key may reach',
    fact: 'the agent was paused',
    check: async () => {
      const status = async () => (await tested.chat('Hello')).status;
      assert.equal(await status(), 200);
      await tested.set(agents, { status: 'paused' }, eq(agents.id, tested.agentId));
      assert.notEqual(await status(), 200);
      await tested.set(agents, { status: 'live' }, eq(agents.id, tested.agentId));
    },
  },
  {
    copy: 'a call of an action, and not the lead of its form,',
    fact: 'the action was deleted',
    check: async () => {
      await submitOrder(tested);
      const calls = () => db().$count(actionCalls, eq(actionCalls.actionId, 'act_custom_order'));
      assert.ok((await calls()) > 0);
      await tested.api('DELETE', `/agents/${tested.agentId}/actions/act_custom_order`);
      assert.equal(await calls(), 0);
      assert.ok((await tested.api('GET', '/leads')).body.data.length > 0);
    },
  },
];

describe('a derived copy', () => {
  for (const { copy, fact, check } of copies) it(`${copy} is gone or of no use once ${fact}`, check);
});
