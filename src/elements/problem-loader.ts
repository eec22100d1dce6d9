/** Loads the code that shows notices, problems, waits and the line below a message. It is prefetched when the browser is idle. */
import { afterPaint } from '../controllers/after-paint.ts';
import { defineElements } from './define-elements.ts';

type Problems = Pick<typeof import('./problems.ts'), 'attend' | 'avatar' | 'markPlace' | 'messageEnd' | 'noticeText'>;

/** Milliseconds before the second attempt to load the code. The time doubles with each further attempt. */
const firstDelay = 1000;

let loading: Promise<Problems> | null = null;
let loaded: Problems | null = null;

const load = async (): Promise<Problems> => {
  await afterPaint();
  for (let delay = firstDelay; ; delay *= 2) {
    try {
      // Listed, so that the bundler needs no object for the whole module, and no further file for that.
      const { attend, avatar, markPlace, messageEnd, noticeText, problemElements } = await import('./problems.ts');
      defineElements(problemElements);
      loaded = { attend, avatar, markPlace, messageEnd, noticeText };
      return loaded;
    } catch {
      // The problem may be the network itself. The browser logs the failed request.
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
};

/** Resolves when the code is loaded. Tries again until then. */
export const loadProblems = (): Promise<Problems> => (loading ??= load());

/** Returns the code, or null while it is not loaded. */
export const loadedProblems = (): Problems | null => loaded;
