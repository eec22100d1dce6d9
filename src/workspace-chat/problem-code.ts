/** Prefetches the code that a problem, a click or a reply needs at once: the device may be offline by then. */
import { importRuns } from '../markdown/index.ts';
import { loadRecovery } from './core.ts';

export const prefetchProblemCode = (): void => {
  void loadRecovery();
  for (const code of [
    importRuns(),
    import('../elements/sources.ts'),
    import('../markdown/copy.ts'),
    import('../elements/menu.ts'),
  ])
    code.catch(() => {});
};
