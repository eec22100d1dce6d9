import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createRunner, type WorkQueue } from '../../service/jobs/runner.ts';
import { eventually } from './support.ts';

/** A queue whose work waits in a list, which the test may change. */
const queueOf = (waiting: string[], run: (name: string) => Promise<void>): WorkQueue => ({
  claim: async () => waiting.splice(0, 1).map((name) => () => run(name)),
});

describe('the runner of background work', () => {
  it('starts nothing when it is woken but was not started, or was stopped', async () => {
    const waiting = ['a'];
    const started: string[] = [];
    let end = () => {};
    const run = (name: string) => {
      started.push(name);
      return new Promise<void>((resolve) => (end = resolve));
    };
    const runner = createRunner(() => {}, [queueOf(waiting, run)]);
    runner.wake();
    await setImmediate();
    assert.deepEqual(started, []);
    runner.start();
    runner.wake();
    await eventually(async () => started.length > 0);
    const stopped = runner.stop();
    waiting.push('b');
    end();
    await stopped;
    runner.wake();
    await setImmediate();
    assert.deepEqual(started, ['a']);
  });

  it('logs work that fails and continues', async () => {
    const log: string[] = [];
    const run = async (name: string) => {
      if (name === 'a') throw new Error('broken');
      log.push('b has run');
    };
    const runner = createRunner(({ event }) => log.push(event), [queueOf(['a', 'b'], run)]);
    runner.start();
    runner.wake();
    await eventually(async () => log.length === 2);
    await runner.stop();
    assert.deepEqual(log, ['job_failure', 'b has run']);
  });
});
