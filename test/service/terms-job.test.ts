/** The terms of stored texts are made again when a new version of the service makes other ones. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { asc, eq } from 'drizzle-orm';
import { agents, chunks, jobs } from '../../service/db/schema.ts';
import { seededFolder } from '../support/servers/database-template.ts';
import { createTestService, useFolders, type TestService } from './support.ts';

const text = `# Tickets

## Children

Under six years nobody pays.

## Groups

Groups of ten pay for nine.`;

const sheet = `Winter season
Pass,Price
Adult,5
Family,12`;

const page = '<h1>Parking</h1><h2>Bicycles</h2><p>There are racks beside the gate.</p>';

describe('terms from rules of an earlier version', () => {
  const folder = useFolders()();
  let dataDir: string;
  before(async () => {
    dataDir = (await seededFolder('empty')) ?? folder;
  });

  const start = () => createTestService({ workspace: 'empty', dataDir });
  const stored = ({ service }: TestService) => service.db.select().from(chunks).orderBy(asc(chunks.id));
  const revisionOf = async ({ service }: TestService) => (await service.db.select().from(agents))[0]!.knowledgeRevision;
  const countJobs = ({ service }: TestService) => service.db.$count(jobs, eq(jobs.kind, 'update_terms'));

  /** Stores a text, a file and an action, whose chunks then look as if an earlier version had made them. Returns what they were. */
  const storeOutdated = async () => {
    const tested = await start();
    const path = `/agents/${tested.agentId}`;
    await tested.api('POST', `${path}/sources`, { type: 'text', name: 'Tickets', text });
    await tested.callTeam('POST', `${path}/sources`, { type: 'file', name: 'parking.html', text: page });
    await tested.callTeam('POST', `${path}/sources`, { type: 'file', name: 'passes.csv', text: sheet });
    await tested.api('POST', `${path}/actions`, {
      name: 'reserve',
      kind: 'collect_data',
      enabled: true,
      config: { asked_by: ['Reserve a guided tour'] },
    });
    await tested.service.work();
    const before = await stored(tested);
    assert.deepEqual(new Set(before.map(({ kind }) => kind)), new Set(['passage', 'action']));
    const outdated = { titleTerms: 'outdated', bodyTerms: 'outdated', termsVersion: 1, embeddingModel: 'kept' };
    await tested.service.db.update(chunks).set(outdated);
    await tested.service.close();
    return before;
  };

  it('are made again after the start, once, with those of the headings above', async () => {
    const before = await storeOutdated();
    const first = await start();
    const revision = await revisionOf(first);
    assert.equal(await countJobs(first), 4);
    // Another process that starts meanwhile adds no second job.
    await first.service.close();
    const second = await start();
    assert.equal(await countJobs(second), 4);
    await second.service.work();
    const expected = before.map((chunk) => ({ ...chunk, embeddingModel: 'kept' }));
    assert.deepEqual(await stored(second), expected);
    assert.ok(expected.some(({ title, bodyTerms }) => title === 'Children' && bodyTerms.includes('ticket')));
    assert.ok(expected.some(({ title, bodyTerms }) => title === 'Family' && bodyTerms.includes('winter')));
    assert.ok(expected.some(({ bodyTerms }) => bodyTerms.includes('park')));
    assert.notEqual(await revisionOf(second), revision);
    const { body } = await second.chat('Do children pay for tickets?');
    assert.match(body.message!.content, /nobody pays/);
    assert.equal(await countJobs(second), 0);
    await second.service.close();
    const third = await start();
    assert.equal(await countJobs(third), 0);
    await third.service.close();
  });
});
