/** Postpones work until the browser is idle. */

/** Not in TypeScript's library. */
type PrerenderingDocument = Document & { readonly prerendering?: boolean };

/** Runs `callback` after the page has loaded, when the browser is idle. A page that is only prerendered is not idle. */
export const whenIdle = (callback: () => void): void => {
  const again = [() => whenIdle(callback), { once: true }] as const;
  if ((document as PrerenderingDocument).prerendering) document.addEventListener('prerenderingchange', ...again);
  else if (document.readyState !== 'complete') addEventListener('load', ...again);
  else if ('requestIdleCallback' in globalThis) requestIdleCallback(callback, { timeout: 5000 });
  else setTimeout(callback, 500);
};
