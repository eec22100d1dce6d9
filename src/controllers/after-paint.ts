/** Postpones work: until the visitor sees what is rendered now, or to another task. */

/** Resolves after the browser's next paint. After 100 ms at the latest: a hidden tab is not painted. */
export const afterPaint = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, 100);
    // The callback of a frame runs before the frame is painted.
    requestAnimationFrame(() => setTimeout(resolve));
  });

/** Not in Safari, nor in TypeScript's library. */
const { scheduler } = globalThis as { scheduler?: { yield?(): Promise<void> } };

/** Resolves after the browser has handled input, where it can yield. */
export const nextTask = async (): Promise<void> => scheduler?.yield?.();
