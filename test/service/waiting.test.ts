import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { within } from '../../service/core/waiting.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('A time limit with another signal', () => {
  it('arrives although nothing else refers to it', async () => {
    const signal = within(20, new AbortController().signal);
    const aborted = once(signal, 'abort');
    // A weak reference holds its object until the task that has made it ends.
    await setImmediate();
    collectGarbage();
    const [first] = (await Promise.race([aborted, setTimeout(2_000, ['no abort'])])) as [Event | string];
    assert.equal((first as Event).type, 'abort');
    assert.equal((signal.reason as Error).name, 'TimeoutError');
  });

  it('ends with the other signal, and with its reason', () => {
    const other = new AbortController();
    const signal = within(60_000, other.signal);
    other.abort('closing');
    assert.equal(signal.reason, 'closing');
  });
});
