/** The browser's hashes, which take a task of their own, under the control of a test. */
import { createHash } from 'node:crypto';
import { after, before, mock } from 'node:test';

const hashOf = (data: Uint8Array): ArrayBuffer => Uint8Array.from(createHash('sha256').update(data).digest()).buffer;

/** Computes hashes without a task of their own, whose order would differ from run to run. For all tests of a file. */
export const hashAtOnce = (): void => {
  before(() => void mock.method(crypto.subtle, 'digest', async (_name: string, data: Uint8Array) => hashOf(data)));
  after(() => mock.restoreAll());
};

export interface HeldHashes {
  /** Lets the hashes be computed that have been requested. */
  release(): Promise<void>;
}

/** Replaces the browser's hash until `mock.restoreAll()`. A hash is computed when the test lets it. */
export const holdHashes = (): HeldHashes => {
  let held: (() => void)[] = [];
  mock.method(crypto.subtle, 'digest', async (_name: string, data: Uint8Array) => {
    await new Promise<void>((resolve) => held.push(resolve));
    return hashOf(data);
  });
  return {
    async release() {
      const released = held;
      held = [];
      for (const resolve of released) resolve();
      await Promise.resolve();
    },
  };
};
