import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eq } from 'drizzle-orm';
import { languageOf } from '../../service/core/language.ts';
import { agents } from '../../service/db/schema.ts';
import { search } from '../../service/knowledge/search.ts';
import { useTestService } from './support.ts';

const tested = useTestService();

const revision = async () => {
  const [agent] = await tested.rows(agents, eq(agents.id, tested.agentId));
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
