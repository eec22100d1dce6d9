import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import { eq } from 'drizzle-orm';
import { chunks } from '../../service/db/schema.ts';
import { seededFolder } from '../support/servers/database-template.ts';
import { limit } from '../support/time-limits.ts';
import { createTestService, useFolders, useServer, useTestService, type TestService } from './support.ts';

const subjects = [/car|volvo|park/gi, /refund|reimburs|money/gi, /open|hours/gi];
/** Each dimension of a vector is a subject, and counts the words about it. The last one is that of all other subjects. */
const vectorOf = (text: string): number[] => {
  const counts = subjects.map((words) => text.match(words)?.length ?? 0);
  return [...counts, counts.every((count) => count === 0) ? 1 : 0];
};

/** The endpoint `fails` with 500, `hangs` without a response, or `breaks` the rule of one vector for each text. */
let behavior: 'works' | 'fails' | 'hangs' | 'breaks' = 'works';
const endpoint = useServer((response, { body }) => {
  if (behavior === 'hangs') return;
  response.writeHead(behavior === 'fails' ? 500 : 200, { 'content-type': 'application/json' });
  if (behavior === 'fails') return void response.end('{"error":{"message":"overloaded"}}');
  const { model, input } = JSON.parse(body) as { model: string; input: string[] };
  const embedded = behavior === 'breaks' ? input.slice(1) : input;
  const data = embedded.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }));
  response.end(JSON.stringify({ object: 'list', model, data, usage: { prompt_tokens: 1, total_tokens: 1 } }));
});
const requests = () =>
  endpoint.requests.map(({ headers: { authorization }, body }) => ({ authorization, ...JSON.parse(body) }));

const embeddings = () => ({
  url: `${endpoint.url}/v1`,
  name: 'vectors',
  key: 'sk-vectors',
  minSimilarity: 0.8,
  questionTimeoutMs: limit(500),
});
const tested = useTestService(() => ({ workspace: 'empty', embeddings: embeddings() }));
beforeEach(() => {
  behavior = 'works';
  tested.log.length = 0;
  tested.nextMinute();
});

const text = [
  '# Arrival\n\nCar park: twelve spaces in front of the building.',
  '# Refunds\n\nWe refund the price within 14 days.',
  '# Hours\n\nWe open at nine.',
].join('\n\n');
const ask = async (service: TestService, question: string) => {
  const { body } = await service.chat(question);
  return { outcome: body.outcome, content: body.message!.content };
};
const failures = () => tested.log.filter(({ event }) => event === 'embedding_failure').length;
/** The question has no word of the passage. */
const paraphrase = 'Is there anywhere for my Volvo?';

describe('a search with embeddings', () => {
  it('finds a passage by its meaning, and refuses what no passage is about', async () => {
    const path = await tested.addText(text);
    assert.match((await ask(tested, paraphrase)).content, /twelve spaces/);
    assert.match((await ask(tested, 'Will you reimburse Anna?')).content, /within 14 days/);
    assert.equal((await ask(tested, 'Do you repair accordions?')).outcome, 'refused');
    assert.match((await ask(tested, 'When do you open?')).content, /at nine/);
    assert.ok(
      requests().every(({ model, authorization }) => `${model} ${authorization}` === 'vectors Bearer sk-vectors'),
    );
    assert.deepEqual(
      requests()[0].input.map((each: string) => each.split('\n')[0]),
      ['Arrival', 'Refunds', 'Hours'],
    );
    await tested.api('DELETE', path);
  });

  for (const fault of ['fails', 'breaks'] as const) {
    it(`indexes a source while the endpoint ${fault}, and embeds it later`, async () => {
      behavior = fault;
      const path = await tested.addText(text);
      assert.equal((await tested.api('GET', path)).body.status, 'indexed');
      assert.equal(failures(), 1);
      assert.match((await ask(tested, 'Where is the car park?')).content, /twelve spaces/);
      assert.equal((await ask(tested, paraphrase)).outcome, 'refused');
      behavior = 'works';
      await tested.service.work();
      assert.equal((await ask(tested, paraphrase)).outcome, 'refused', 'the request is not repeated at once');
      tested.clock.now += 5 * 60_000;
      await tested.service.work();
      assert.match((await ask(tested, paraphrase)).content, /twelve spaces/);
      await tested.api('DELETE', path);
    });
  }

  it('replies without the vector of a question that takes too long, and does not wait for the next questions', async () => {
    const path = await tested.addText(text);
    behavior = 'hangs';
    endpoint.requests.length = 0;
    assert.match((await ask(tested, 'Where is the car park?')).content, /twelve spaces/);
    assert.match((await ask(tested, 'What about a refund?')).content, /within 14 days/);
    assert.deepEqual([endpoint.requests.length, failures()], [1, 1]);
    behavior = 'works';
    tested.clock.now += 10_000;
    assert.match((await ask(tested, paraphrase)).content, /twelve spaces/);
    await tested.api('DELETE', path);
  });
});

describe('another model for embeddings', () => {
  const folder = useFolders()();
  let dataDir: string;
  before(async () => {
    dataDir = (await seededFolder('empty')) ?? folder;
  });

  it('embeds the stored passages again when the service starts with it', async () => {
    const start = (name?: string) =>
      createTestService({ workspace: 'empty', dataDir, ...(name ? { embeddings: { ...embeddings(), name } } : {}) });
    const without = await start();
    await without.addText(text);
    assert.equal(endpoint.requests.length, 0);
    await without.service.close();
    for (const name of ['vectors', 'other-vectors']) {
      endpoint.requests.length = 0;
      const started = await start(name);
      await started.service.work();
      assert.deepEqual(
        requests().map(({ model, input }) => [model, input.length]),
        [[name, 3]],
      );
      assert.equal(await started.service.db.$count(chunks, eq(chunks.embeddingModel, name)), 3);
      await started.service.close();
    }
  });
});
