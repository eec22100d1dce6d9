import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lazyFile } from '../../../src/chat/lazy-file.ts';
import { FakeClock, settle } from '../../support/fakes/fake-clock.ts';

/** A file whose requests a test settles itself. */
const requested = () => {
  const clock = new FakeClock();
  const requests: { attempt: number; arrive: (content?: string) => void; fail: () => void }[] = [];
  const file = lazyFile(
    (attempt) =>
      new Promise<string | undefined>((resolve, reject) => {
        requests.push({ attempt, arrive: resolve, fail: () => reject(new TypeError('network')) });
      }),
    clock,
  );
  return { clock, file, requests };
};

describe('a lazy file', () => {
  it('is requested once, however often it is loaded', async () => {
    const { clock, file, requests } = requested();
    const loads = [file.load(), file.load()];
    requests[0]!.arrive('code');
    assert.deepEqual(await Promise.all([...loads, file.load()]), ['code', 'code', 'code']);
    assert.equal(file.value, 'code');
    assert.equal(requests.length, 1);
    assert.equal(clock.pending, 0);
  });

  it('is requested a second time when it cannot be loaded, at another URL', async () => {
    const { clock, file, requests } = requested();
    const load = file.load();
    requests[0]!.fail();
    await clock.advance(500);
    requests[1]!.arrive('code');
    assert.equal(await load, 'code');
    assert.deepEqual(
      requests.map(({ attempt }) => attempt),
      [0, 1],
    );
  });

  it('fails when both requests fail, and is requested again by the next call', async () => {
    const { clock, file, requests } = requested();
    const load = file.load();
    const failed = assert.rejects(load, TypeError);
    requests[0]!.fail();
    await clock.advance(500);
    requests[1]!.fail();
    await failed;
    const next = file.load();
    requests[2]!.arrive('code');
    assert.equal(await next, 'code');
  });

  it('is requested a second time when it arrives without its content', async () => {
    const { clock, file, requests } = requested();
    const load = file.load();
    requests[0]!.arrive();
    await clock.advance(500);
    requests[1]!.arrive('code');
    assert.equal(await load, 'code');
  });

  it('fails when it hangs, and is used when it arrives later', async () => {
    const { clock, file, requests } = requested();
    const failed = assert.rejects(file.load(), /did not arrive in time/);
    await clock.advance(15_000);
    await failed;
    assert.equal(file.value, null);
    void file.load();
    requests[0]!.arrive('late');
    assert.equal(await file.arrived, 'late');
    await settle();
    assert.equal(await file.load(), 'late');
  });
});
