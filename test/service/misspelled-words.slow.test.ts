/** Misspelled words in a workspace with much knowledge. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from 'drizzle-orm';
import { search } from '../../service/knowledge/search.ts';
import { useTestService } from './support.ts';

const tested = useTestService();
const chunkCount = 20_000;
const repetitions = 5;

describe('a misspelled word in 20,000 passages', () => {
  before(async () => {
    const { db } = tested.service;
    // Ten words in each passage, 20,000 different ones in all.
    const word = (number: string) => sql.raw(`left(translate(md5((${number})::text), '0123456789', 'ghijklmnop'), 10)`);
    const count = sql.raw(String(chunkCount));
    await db.execute(sql`insert into chunks (agent_id, kind, language, title, body, title_terms, body_terms)
      select ${tested.agentId}, 'passage', 'en', '', text, '', text
      from (select case when n % 400 = 0 then 'temperatur ' else '' end || words as text
        from generate_series(1, ${count}) as n cross join lateral (
          select string_agg(${word(`(n * 10 + w) % ${chunkCount}`)}, ' ') as words from generate_series(1, 10) as w) as joined) as passages`);
    await db.execute(sql`insert into vocabulary (agent_id, language, word)
      select ${tested.agentId}, 'en', ${word('n')} from generate_series(1, ${count}) as n`);
    await db.execute(sql`insert into vocabulary (agent_id, language, word)
      values (${tested.agentId}, 'en', 'temperature')`);
    await db.execute(sql`analyze`);
  });

  const fastest = async (question: string): Promise<number> => {
    const times: number[] = [];
    for (let at = 0; at < repetitions; at++) {
      const startedAt = performance.now();
      const { hits } = await search(tested.service.db, { agentId: tested.agentId, language: 'en' }, question);
      times.push(performance.now() - startedAt);
      assert.match(hits[0]!.body, /temperatur/);
    }
    return Math.min(...times);
  };

  it('takes little more time than a correct word', async (context) => {
    const correct = await fastest('temperature');
    const misspelled = await fastest('temprature');
    context.diagnostic(`correct ${correct.toFixed(1)} ms, misspelled ${misspelled.toFixed(1)} ms`);
    assert.ok(misspelled < 4 * correct, `${misspelled.toFixed(1)} ms instead of ${correct.toFixed(1)} ms`);
  });
});
