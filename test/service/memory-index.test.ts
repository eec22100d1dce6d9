import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { eq } from 'drizzle-orm';
import { languageOf } from '../../service/core/language.ts';
import { actions, agents } from '../../service/db/schema.ts';
import { search } from '../../service/knowledge/search.ts';
import { scopes } from '../../service/core/scopes.ts';
import { useTestService } from './support.ts';

const tested = useTestService();
beforeEach(() => tested.nextMinute());

const revision = async () => {
  const { db } = tested.service;
  const [agent] = await db.select().from(agents).where(eq(agents.id, tested.agentId));
  return agent!.knowledgeRevision;
};

describe('the index in memory', () => {
  const questions = [
    'What are your opening hours?',
    'Where can I park?',
    'Do you have classes for children, and what do they cost?',
    'How do I return a vase that broke in the post?',
    'shiping cost to Salalah',
    'my order PC-1042',
    'classes classes classes',
    'متى تفتحون؟',
    'كم سعر التوصيل إلى صلالة؟',
    'هل عندكم دورات للأطفال؟',
    "it's a | b & !c :* 'd\\ (e)",
  ];
  for (const question of questions) {
    it(`finds the same as the index in the database for “${question}”`, async () => {
      const knowledge = { agentId: tested.agentId, language: languageOf(question) ?? 'en' };
      const inMemory = await search(tested.service.db, { ...knowledge, revision: await revision() }, question);
      const inDatabase = await search(tested.service.db, knowledge, question);
      assert.deepEqual(inMemory, inDatabase);
    });
  }
});

describe('knowledge in memory', () => {
  const reply = async (text: string) => (await tested.chat(text)).body.message!.content;
  const question = 'Do you repair accordions?';

  it('is read again when a source is added, changed or deleted', async () => {
    const key = await tested.makeKey({ scopes: [...scopes] });
    const path = `/agents/${tested.agentId}/sources`;
    assert.doesNotMatch(await reply(question), /every Monday/);
    const text = '# Repair of accordions\n\nWe repair accordions every Monday.';
    const { body: source } = await tested.call('POST', path, { key, body: { type: 'text', name: 'Accordions', text } });
    await tested.service.work();
    assert.match(await reply(question), /every Monday/);
    const change = { text: text.replace('Monday', 'Tuesday') };
    await tested.call('PATCH', `${path}/${source.id}`, { key, body: change });
    await tested.service.work();
    assert.match(await reply(question), /every Tuesday/);
    await tested.call('DELETE', `${path}/${source.id}`, { key });
    assert.doesNotMatch(await reply(question), /every/);
  });

  it('is read again when an action is disabled and enabled', async () => {
    const { db } = tested.service;
    const outcome = async () => (await tested.chat('I want to book a class')).body.message!.blocks?.[0]?.type ?? null;
    const shown = await outcome();
    assert.notEqual(shown, null);
    await db.update(actions).set({ enabled: false }).where(eq(actions.agentId, tested.agentId));
    assert.equal(await outcome(), null);
    await db.update(actions).set({ enabled: true }).where(eq(actions.agentId, tested.agentId));
    assert.equal(await outcome(), shown);
  });

  it('keeps its revision when nothing that a search reads has changed', async () => {
    const before = await revision();
    await tested.chat('Where can I park?');
    assert.equal(await revision(), before);
  });
});
