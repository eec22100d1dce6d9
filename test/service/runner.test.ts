import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRunner, type Work, type WorkQueue } from '../../service/jobs/runner.ts';
import { eventually } from './support.ts';

/** A queue with a number of slots. The test ends each piece of work. */
const createQueue = (slots: number) => {
  const waiting: string[] = [];
  const ends = new Map<string, () => void>();
  const started: string[] = [];
  const queue: WorkQueue = {
    async claim() {
      const claimed = waiting.splice(0, slots - ends.size);
      return claimed.map((name): Work => {
        const ended = new Promise<void>((resolve) => ends.set(name, resolve));
        return async () => {
          started.push(name);
          await ended;
        };
      });
    },
  };
  const end = (name: string) => {
    ends.get(name)!();
    ends.delete(name);
  };
  return { queue, waiting, started, end };
};
const hasStarted = (started: string[], count: number) =>
  eventually(async () => (started.length >= count ? true : undefined));

describe('the runner of background work', () => {
  it('starts the next work as soon as a piece ends, while the others still run', async () => {
    const { queue, waiting, started, end } = createQueue(2);
    const runner = createRunner(() => {}, [queue]);
    waiting.push('a', 'b', 'c', 'd');
    runner.start();
    runner.wake();
    await hasStarted(started, 2);
    end('b');
    await hasStarted(started, 3);
    end('c');
    await hasStarted(started, 4);
    assert.deepEqual(started, ['a', 'b', 'c', 'd']);
    end('a');
    end('d');
    await runner.stop();
  });

  it('does not let a full queue delay another one', async () => {
    const hanging = createQueue(1);
    const other = createQueue(1);
    const runner = createRunner(() => {}, [hanging.queue, other.queue]);
    hanging.waiting.push('hangs', 'waits');
    other.waiting.push('a', 'b');
    runner.start();
    runner.wake();
    await hasStarted(other.started, 1);
    other.end('a');
    await hasStarted(other.started, 2);
    assert.deepEqual(hanging.started, ['hangs']);
    other.end('b');
    hanging.end('hangs');
    await hasStarted(hanging.started, 2);
    hanging.end('waits');
    await runner.stop();
  });

  it('starts nothing when it is woken but was not started, or was stopped', async () => {
    const { queue, waiting, started, end } = createQueue(1);
    const runner = createRunner(() => {}, [queue]);
    waiting.push('a', 'b');
    runner.wake();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(started, []);
    runner.start();
    runner.wake();
    await hasStarted(started, 1);
    const stopped = runner.stop();
    end('a');
    await stopped;
    runner.wake();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(started, ['a']);
  });

  it('drains the work that is due and the work that it makes due', async () => {
    const done: string[] = [];
    const waiting = ['a', 'b'];
    const queue: WorkQueue = {
      claim: async () =>
        waiting.splice(0, 1).map((name) => async () => {
          done.push(name);
          if (name === 'b') waiting.push('c');
        }),
    };
    await createRunner(() => {}, [queue]).drain();
    assert.deepEqual(done, ['a', 'b', 'c']);
  });

  it('logs work that fails and continues', async () => {
    const log: string[] = [];
    const waiting = ['a', 'b'];
    const queue: WorkQueue = {
      claim: async () =>
        waiting.splice(0, 1).map((name) => async () => {
          if (name === 'a') throw new Error('broken');
          log.push('b has run');
        }),
    };
    const runner = createRunner(({ event }) => log.push(event), [queue]);
    runner.start();
    runner.wake();
    await eventually(async () => (log.length === 2 ? true : undefined));
    await runner.stop();
    assert.deepEqual(log, ['job_failure', 'b has run']);
  });
});
