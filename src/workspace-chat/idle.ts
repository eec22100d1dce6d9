/** Postpones work until the browser has nothing else to do. */

/** Not in TypeScript's library. */
type PrerenderingDocument = Document & { readonly prerendering?: boolean };

/** Runs `callback` after the page has loaded, when the browser is idle. A page that is only prerendered is not idle. */
export const whenIdle = (callback: () => void): void => {
  const request = () =>
    'requestIdleCallback' in globalThis ? requestIdleCallback(callback, { timeout: 5000 }) : setTimeout(callback, 500);
  if ((document as PrerenderingDocument).prerendering)
    document.addEventListener('prerenderingchange', () => whenIdle(callback), { once: true });
  else if (document.readyState === 'complete') request();
  else addEventListener('load', request, { once: true });
};
