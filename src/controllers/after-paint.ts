/** Postpones work until the visitor sees what is rendered now. */

/** Resolves after the browser's next paint. After 100 ms at the latest: a hidden tab is not painted. */
export const afterPaint = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, 100);
    // The callback of a frame runs before the frame is painted.
    requestAnimationFrame(() => setTimeout(resolve));
  });
