import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { GuardedStorage, MemoryStorage, type ConversationStorage } from '../../../src/chat/storage/storage.ts';
import { FakeClock } from '../../support/fakes/fake-clock.ts';

/** A storage whose operations take as long as `delay` returns. */
const slowStorage = (clock: FakeClock, delay: () => number): ConversationStorage => {
  const memory = new MemoryStorage();
  const wait = () => new Promise<void>((resolve) => void clock.after(delay(), resolve));
  return {
    load: async (key) => {
      await wait();
      return memory.load(key);
    },
    update: async (key, change) => {
      await wait();
      await memory.update(key, change);
    },
    keys: () => memory.keys(),
  };
};

describe('A slow storage', () => {
  const guard = (clock: FakeClock, delay: () => number) => {
    const log: string[] = [];
    const storage = new GuardedStorage(
      slowStorage(clock, delay),
      clock,
      () => log.push('unavailable'),
      null,
      () => log.push('available'),
    );
    return { storage, log };
  };

  it('is waited for less than a second when it has never responded, and not at all afterwards', async () => {
    const clock = new FakeClock();
    const { storage, log } = guard(clock, () => 60_000);
    const first = storage.soon(storage.load('key'), 'late');
    await clock.advance(1_000);
    assert.equal(await first, 'late');
    assert.equal(await storage.soon(storage.load('key'), 'late'), 'late');
    assert.deepEqual(log, ['unavailable']);
  });

  it('gets more time after it has responded once', async () => {
    const clock = new FakeClock();
    let delay = 10;
    const { storage, log } = guard(clock, () => delay);
    const first = storage.soon(storage.load('key'), 'late');
    await clock.advance(10);
    assert.equal(await first, undefined);
    delay = 3_000;
    const second = storage.soon(storage.load('key'), 'late');
    await clock.advance(3_000);
    assert.equal(await second, undefined);
    assert.deepEqual(log, []);
  });

  it('takes every change once, however late, and is available again then', async () => {
    const clock = new FakeClock();
    const { storage, log } = guard(clock, () => 60_000);
    const append = (item: string) =>
      storage.update('key', (value) => [...((value as string[] | undefined) ?? []), item]);
    const [one, two] = [append('one'), append('two')];
    const waiting = storage.soon(one, 'late');
    await clock.advance(1_000);
    await waiting;
    await clock.advance(60_000);
    await Promise.all([one, two]);
    const loaded = storage.load('key');
    await clock.advance(60_000);
    assert.deepEqual(await loaded, ['one', 'two']);
    assert.deepEqual(log, ['unavailable', 'available']);
  });
});

describe('A storage that fails', () => {
  const failing = () => {
    const log: string[] = [];
    const memory = new MemoryStorage();
    let left = 0;
    const durable: ConversationStorage = {
      load: (key) => memory.load(key),
      update: async (key, change) => {
        await memory.update(key, (value) => {
          const next = change(value);
          if (next !== undefined && left-- > 0) throw new Error('full');
          return next;
        });
      },
      keys: () => memory.keys(),
    };
    const storage = new GuardedStorage(
      durable,
      new FakeClock(),
      () => log.push('unavailable'),
      durable,
      () => log.push('available'),
    );
    const fail = (times: number) => {
      left = times;
    };
    return { storage, log, fail };
  };

  it('is tried again once, because a closed connection is opened again', async () => {
    const { storage, log, fail } = failing();
    fail(1);
    await storage.update('key', () => 'one');
    assert.equal(await storage.load('key'), 'one');
    assert.deepEqual(log, []);
  });

  it('is reported once, until something can be written again', async () => {
    const { storage, log, fail } = failing();
    fail(4);
    for (const item of ['one', 'two']) await assert.rejects(storage.update('key', () => item));
    await storage.load('key');
    assert.deepEqual(log, ['unavailable']);
    await storage.update('key', () => 'three');
    assert.deepEqual(log, ['unavailable', 'available']);
  });

  it('still deletes what is erased', async () => {
    const { storage, log, fail } = failing();
    await storage.update('key', () => 'one');
    fail(Infinity);
    await storage.erase('key', () => 'tombstone');
    assert.equal(await storage.load('key'), undefined);
    assert.deepEqual(log, []);
  });
});

describe('The memory', () => {
  it('keeps all changes, in whatever microtask each one is made', async () => {
    const waits = [0, 1, 2, 3];
    const orders = waits.flatMap((one) => waits.flatMap((two) => waits.map((three) => [one, two, three])));
    for (const order of orders) {
      const storage = new GuardedStorage(null, new FakeClock(), () => {});
      const append = async (microtasks: number, item: number) => {
        for (let count = 0; count < microtasks; count++) await Promise.resolve();
        await storage.update('key', (value) => [...((value as number[] | undefined) ?? []), item]);
      };
      await Promise.all(order.map(append));
      const kept = new Set((await storage.load('key')) as number[]);
      assert.deepEqual(kept, new Set([0, 1, 2]), `after ${order.join(', ')} microtasks`);
    }
  });
});
