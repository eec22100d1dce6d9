/** The core and the panel in one file: both are prefetched together, and compress better together than apart. */
import { afterPaint } from '../controllers/after-paint.ts';
import type { runWhenIdle } from './idle-code.ts';
import { noteLocales } from './registered-locales.ts';

export { nextTask } from '../controllers/after-paint.ts';
export { ElementCore } from './element-core.ts';
export { Panel } from './panel.ts';
export { toViewState } from './view-state.ts';

/** See `runWhenIdle`. The doctor examines the languages also while the chat is closed. The next call tries again when its code cannot be loaded. */
export const loadIdleCode = (host: Parameters<typeof runWhenIdle>[0]): void => {
  noteLocales(host);
  // The panel may be opening.
  afterPaint()
    .then(() => import('./idle-code.ts'))
    .then(
      (code) => code.runWhenIdle(host),
      () => {},
    );
};
