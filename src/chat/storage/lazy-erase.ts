/** Loads the code that erases when it is needed. While it cannot be loaded, the intent to erase counts as the erasure. */
import type { EraseOptions } from './erase.ts';
import type { Erasure } from './erasure-intent.ts';

const importErase = () => import('./erase.ts').catch(() => null);

/** See `completeErasure` in `erase.ts`. Returns undefined when that cannot be loaded. */
export const completeErasure = async (erasure: Erasure, options: EraseOptions): Promise<true | undefined> =>
  (await importErase())?.completeErasure(erasure, options);

/** Deletes the expired records of all agents and keys, and old tombstones. */
export const prune = async (options: EraseOptions): Promise<void> => {
  await (await importErase())?.pruneStorage(options);
};
