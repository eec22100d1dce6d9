/** Runs `callback` after the page has loaded, when the browser is idle. */
export const whenIdle = (callback: () => void): void => {
  const request = () =>
    'requestIdleCallback' in globalThis ? requestIdleCallback(callback, { timeout: 5000 }) : setTimeout(callback, 500);
  if (document.readyState === 'complete') request();
  else addEventListener('load', request, { once: true });
};
