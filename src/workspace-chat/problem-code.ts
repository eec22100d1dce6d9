/** Prefetches the code that a problem or a reply needs at once: the device may be offline by then. */
import { loadProblems } from '../elements/problem-loader.ts';
import { loadRecovery } from './core.ts';

/** Prefetches code. A failure is retried when the code is needed. */
export const ignoreFailures = (loading: readonly Promise<unknown>[]): void => {
  for (const code of loading) code.catch(() => {});
};

export const prefetchProblemCode = (): void => ignoreFailures([loadProblems(), loadRecovery()]);
