/** Postpones work until the browser is idle, or until the visitor sees the page. */

/** Not in TypeScript's library. */
type PrerenderingDocument = Document & { readonly prerendering?: boolean };

/** Settles when the visitor sees the page, which may be prerendered. */
export const whenShown = async (): Promise<void> => {
  if ((document as PrerenderingDocument).prerendering)
    await new Promise((resolve) => document.addEventListener('prerenderingchange', resolve, { once: true }));
};

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
