/** Postpones work until the browser is idle, or until the visitor sees the page. */

/** Not in TypeScript's library. */
type PrerenderingDocument = Document & { readonly prerendering?: boolean };

/** Returns a promise that resolves when a prerendered page is shown, or null when the page is not only prerendered. */
export const whenShown = (): Promise<void> | null =>
  (document as PrerenderingDocument).prerendering
    ? new Promise((resolve) => document.addEventListener('prerenderingchange', () => resolve(), { once: true }))
    : null;

/** Milliseconds to wait for the page's images and frames, of which one may hang. */
const loadTimeout = 10_000;

/** Whether the page has loaded, or has taken too long. */
let isLoaded = false;

/** Runs `callback` after the page has loaded, when the browser is idle. A page that is only prerendered is not idle. */
export const whenIdle = (callback: () => void): void => {
  const again = () => whenIdle(callback);
  // Both events happen once.
  if ((document as PrerenderingDocument).prerendering) document.addEventListener('prerenderingchange', again);
  else if (!isLoaded && document.readyState !== 'complete')
    void new Promise((resolve) => {
      const timer = setTimeout(resolve, loadTimeout);
      addEventListener('load', () => resolve(clearTimeout(timer)));
    }).then(() => {
      isLoaded = true;
      again();
    });
  else if ('requestIdleCallback' in globalThis) requestIdleCallback(callback, { timeout: 5000 });
  else setTimeout(callback, 500);
};
