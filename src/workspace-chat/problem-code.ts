/** Loads the code that only problems need. The device may be offline by then, so the code is prefetched. */
import { loadProblems } from '../elements/problem-loader.ts';

/** Loads the code that recovers a turn. Resolves with null when it cannot be loaded: the browser logs the failed request. */
export const loadRecovery = () => import('../chat/recovery.ts').catch(() => null);

export const prefetchProblemCode = (): void => {
  void loadProblems();
  void loadRecovery();
};
