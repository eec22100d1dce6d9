/** Prefetches the code that only problems need: the device may be offline by then. */
import { loadProblems } from '../elements/problem-loader.ts';
import { loadRecovery } from './core.ts';

export const prefetchProblemCode = (): void => {
  void loadProblems();
  void loadRecovery();
};
