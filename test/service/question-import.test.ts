import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'drizzle-orm';
import { rejectChanges } from './scenarios.ts';
import { useTestService } from './support.ts';

const tested = useTestService({ allowLoopback: true });
const path = '/agents/agt_palm_and_clay/sources';

const ask = async (question: string) => (await tested.chat(question)).body;

describe('the question import API', () => {
  const item = {
    question: 'Do you groom phoenixes?',
    answer: 'Yes, **on Sundays**.',
    alternatives: ['Phoenix grooming?'],
  };
  const send = (body: object, headers = {}) => tested.api('POST', `${path}/questions`, body, headers);

  it('rejects the same question in two items, also among their other wordings', async () => {
    const one = {
      question: 'Do you sell wyverns?',
      answer: 'No.',
      alternatives: ['Wyverns for sale?', 'wyverns for sale'],
    };
    for (const [field, other] of [
      ['question', { question: 'wyverns for SALE', answer: 'x' }],
      ['alternatives.1', { question: 'Other', answer: 'x', alternatives: ['More', 'Do you sell wyverns'] }],
      ['alternatives.0', { question: 'Other', answer: 'x', alternatives: ['Wyverns, for sale!'] }],
    ] as const) {
      const { status, error } = await send({ name: 'Wyverns', items: [one, other] });
      assert.equal(status, 422, field);
      assert.deepEqual(
        (error.details as any[]).map((detail) => [detail.field, detail.code]),
        [[`items.1.${field}`, 'duplicate']],
      );
    }
    assert.equal((await send({ name: 'Wyverns', items: [one] })).status, 201);
  });

  for (const [what, items] of [
    ['a question of 501 characters', [{ question: 'q'.repeat(501), answer: 'a' }]],
    ['an answer of 4,001 characters', [{ question: 'q', answer: 'a'.repeat(4001) }]],
    ['21 other wordings', [{ question: 'q', answer: 'a', alternatives: Array.from({ length: 21 }, () => 'x') }]],
  ] as const) {
    it(`rejects an import with ${what}`, async () => assert.equal((await send({ name: 'x', items })).status, 422));
  }

  it('rejects a text with lost characters, which no visitor must see', async () => {
    const { status, error } = await send({ name: 'Lost', items: [{ question: 'Caf\ufffd?', answer: 'Yes.' }] });
    assert.equal(status, 422);
    assert.deepEqual(
      (error.details as any[]).map(({ field, code }) => [field, code]),
      [['items.0.question', 'bad_encoding']],
    );
  });

  it('returns 502 for a failed import and keeps the previous batch', async () => {
    const { db } = tested.service;
    assert.equal((await send({ name: 'Birds', items: [item] })).status, 201);
    await db.execute(sql`alter table chunks add constraint no_wyverns check (title <> 'Wyverns?')`);
    const { status, error } = await send({ name: 'Birds', items: [{ question: 'Wyverns?', answer: 'None.' }] });
    assert.deepEqual([status, error.code], [502, 'internal_error']);
    assert.match((await ask('Do you groom phoenixes?')).message!.content, /Sundays/);
    assert.equal((await send({ name: 'Birds', items: [item] })).status, 201);
  });

  it('returns 201 for an import whose replaced chunks cannot be deleted, because it is stored', async () => {
    const { db } = tested.service;
    assert.equal((await send({ name: 'Lizards', items: [item] })).status, 201);
    const accept = await rejectChanges(db, 'delete on chunks');
    const { status, body } = await send({ name: 'Lizards', items: [{ question: 'Basilisks?', answer: 'Two.' }] });
    await accept();
    assert.deepEqual([status, body.status, body.version], [201, 'indexed', 2]);
    assert.match((await ask('Basilisks?')).message!.content, /Two/);
  });
});
