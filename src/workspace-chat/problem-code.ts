/** Prefetches the code that a problem, a click or a reply needs at once: the device may be offline by then. */
import { importSources } from '../elements/message.ts';
import { loadProblems } from '../elements/problem-loader.ts';
import { importRuns } from '../markdown/index.ts';
import { loadRecovery } from './core.ts';

export const prefetchProblemCode = (): void => {
  void loadProblems();
  void loadRecovery();
  for (const code of [importRuns(), importSources(), import('../markdown/copy.ts'), import('../elements/menu.ts')])
    code.catch(() => {});
};
