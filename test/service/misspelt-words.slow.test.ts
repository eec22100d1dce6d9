/** Misspelt words in a workspace with much knowledge. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from 'drizzle-orm';
import { search } from '../../service/knowledge/search.ts';
import { useTestService } from './support.ts';

const tested = useTestService();
const chunkCount = 20_000;
const repetitions = 5;

describe('a misspelt word in 20,000 passages', () => {
  before(async () => {
    const { db } = tested.service;
    // Ten words in each passage, 20,000 different ones in all.
    const words = sql`(select string_agg(translate(md5((n * 10 + w)::text), '0123456789', 'ghijklmnop'), ' ')
      from generate_series(1, 10) as w where n % 10 = 0 or w < 10)`;
    await db.execute(sql`insert into chunks (agent_id, kind, language, title, body, title_terms, body_terms)
      select ${tested.agentId}, 'passage', 'en', '', text, '', text
      from (select 'greenhouse' || case when n % 400 = 0 then ' temperature ' else ' ' end || ${words} as text
        from generate_series(1, ${sql.raw(String(chunkCount))}) as n) as passages`);
    await db.execute(sql`insert into vocabulary (agent_id, language, word)
      select distinct ${tested.agentId}, 'en', left(word, 8 + length(word) % 5)
      from chunks, regexp_split_to_table(body, ' ') as word where agent_id = ${tested.agentId} and id % 10 = 0`);
    await db.execute(sql`insert into vocabulary (agent_id, language, word)
      values (${tested.agentId}, 'en', 'temperature'), (${tested.agentId}, 'en', 'temperatures')`);
    await db.execute(sql`analyze`);
  });

  const fastest = async (question: string): Promise<number> => {
    const times: number[] = [];
    for (let at = 0; at < repetitions; at++) {
      const startedAt = performance.now();
      const { hits } = await search(tested.service.db, tested.agentId, 'en', question);
      times.push(performance.now() - startedAt);
      assert.match(hits[0]!.body, /temperature/);
    }
    return Math.min(...times);
  };

  it('takes little more time than a correct word', async (context) => {
    const correct = await fastest('temperature');
    const misspelt = await fastest('temprature');
    context.diagnostic(`correct ${correct.toFixed(1)} ms, misspelt ${misspelt.toFixed(1)} ms`);
    assert.ok(misspelt < 4 * correct, `${misspelt.toFixed(1)} ms instead of ${correct.toFixed(1)} ms`);
  });
});
