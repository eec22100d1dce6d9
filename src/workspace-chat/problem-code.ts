/** Prefetches the code that a problem or a click needs at once: the device may be offline by then. */
import { loadProblems } from '../elements/problem-loader.ts';
import { loadRecovery } from './core.ts';

export const prefetchProblemCode = (): void => {
  void loadProblems();
  void loadRecovery();
  for (const code of [import('../markdown/copy.ts'), import('../elements/menu.ts')]) code.catch(() => {});
};
