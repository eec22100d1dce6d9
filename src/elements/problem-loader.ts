/** Loads the code that shows problems: it is prefetched when the browser is idle, and needed with the first problem. */
import { defineElements } from './define-elements.ts';

type ProblemText = typeof import('./problems.ts').problemText;

/** Milliseconds before the second attempt to load the code. The time doubles with each further attempt. */
const firstDelay = 1000;

let loading: Promise<ProblemText> | null = null;

const load = async (): Promise<ProblemText> => {
  for (let delay = firstDelay; ; delay *= 2) {
    try {
      const { problemElements, problemText } = await import('./problems.ts');
      defineElements(problemElements);
      return problemText;
    } catch {
      // The problem may be the network itself. The browser logs the failed request.
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
};

/** Resolves with the function that describes a problem when the code is loaded. Tries again until then. */
export const loadProblems = (): Promise<ProblemText> => (loading ??= load());
