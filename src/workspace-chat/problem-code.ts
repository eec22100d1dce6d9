/** Prefetches the code that a problem or a reply needs at once: the device may be offline by then. */
import { loadProblems } from '../elements/problem-loader.ts';
import { importRuns } from '../markdown/index.ts';
import { loadRecovery } from './core.ts';

export const prefetchProblemCode = (): void => {
  for (const code of [loadProblems(), loadRecovery(), importRuns()]) code.catch(() => {});
};
