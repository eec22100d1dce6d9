/** Loads the code that shows notices, problems and waits: it is prefetched when the browser is idle, and needed with the first of these. */
import { defineElements } from './define-elements.ts';

type Problems = Pick<typeof import('./problems.ts'), 'AttentionController' | 'noticeText'>;

/** Milliseconds before the second attempt to load the code. The time doubles with each further attempt. */
const firstDelay = 1000;

let loading: Promise<Problems> | null = null;

const load = async (): Promise<Problems> => {
  for (let delay = firstDelay; ; delay *= 2) {
    try {
      const { AttentionController, noticeText, problemElements } = await import('./problems.ts');
      defineElements(problemElements);
      return { AttentionController, noticeText };
    } catch {
      // The problem may be the network itself. The browser logs the failed request.
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
};

/** Resolves when the code is loaded. Tries again until then. */
export const loadProblems = (): Promise<Problems> => (loading ??= load());
