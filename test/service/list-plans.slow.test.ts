/** Reads each list of a large workspace and checks the plans of its queries: no scan of a large table, few buffers. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { findPostgres, noPostgresReason } from '../support/servers/postgres.ts';
import { explained, recordQueries, type Explained, type Recorder } from './explained-queries.ts';
import { firstPlanAgent, loadWorkspace, middleOfTimes, scale, type ListCase, listCases } from './large-workspace.ts';
import { createTestService, type TestService } from './support.ts';

const server = await findPostgres();
/** 8 kB each, read from the cache or the disk. A page of 20 rows from random places needs about 25. */
const maxBuffers = 100;

describe('a page of a large workspace', { skip: server ? false : noPostgresReason }, () => {
  let tested: TestService;
  let recorder: Recorder;
  const keys = new Map<string, string>();
  const figures: string[] = [];

  before(async () => {
    const { url } = await server!.database();
    tested = await createTestService({ databaseUrl: url });
    await loadWorkspace(tested.service.db, tested.clock.now);
    recorder = recordQueries(tested.service.db);
    const scopes = [
      ...(['agents:read', 'contacts:read', 'conversations:read', 'leads:read', 'tickets:read'] as const),
      ...(['usage:read', 'webhooks:read'] as const),
    ];
    keys.set('all', await tested.makeKey({ scopes }));
    keys.set('one', await tested.makeKey({ scopes, agentIds: [firstPlanAgent] }));
    keys.set('two', await tested.makeKey({ scopes, agentIds: [firstPlanAgent, 'agt_plan_2'] }));
  });
  after(async () => {
    await tested.service.close();
    await server!.stop();
  });

  /** Returns the plan of the request's largest query. */
  const largestPlan = async (path: string, { access }: ListCase): Promise<Explained> => {
    tested.nextMinute();
    recorder.start();
    const { status, body, error } = await tested.call('GET', path, { key: keys.get(access ?? 'all')! });
    const queries = recorder.stop();
    assert.equal(status, 200, JSON.stringify(error));
    if (body.data) assert.ok(body.data.length > 0, 'The page is empty, so its plan says nothing.');
    const plans = await Promise.all(queries.map((query) => explained(tested.service.db, query)));
    return plans.toSorted((a, b) => b.buffers - a.buffers)[0]!;
  };

  for (const each of listCases) {
    it(`reads few buffers for ${each.path}${each.access ? ` with a key for ${each.access} of the agents` : ''}`, async () => {
      const separator = each.path.includes('?') ? '&' : '?';
      const deepPath = `${each.path}${separator}cursor=${middleOfTimes(tested.clock.now, each.cursor)}`;
      for (const [page, path] of [
        ['first', each.path],
        ...(each.cursor === null ? [] : [['deep', deepPath]]),
      ] as const) {
        const plan = await largestPlan(path, each);
        const name = `${each.path} ${each.access ?? ''}`.padEnd(75);
        figures.push(`${name} ${page.padEnd(5)} ${String(plan.buffers).padStart(6)} buffers ${plan.ms.toFixed(1)} ms`);
        const details = `${plan.query}\n${plan.text}`;
        assert.deepEqual(plan.scanned, [], details);
        assert.ok(plan.buffers <= (each.maxBuffers ?? maxBuffers), `${page} page: ${plan.buffers} buffers\n${details}`);
      }
    });
  }

  it('prints the figures', (context) => {
    context.diagnostic(`${scale} rows of each table, 10 messages each\n${figures.join('\n')}`);
    assert.ok(figures.length > listCases.length);
  });
});
