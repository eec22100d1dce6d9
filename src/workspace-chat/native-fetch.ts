/** The browser's `fetch`, captured before the page's scripts wrap it: a wrapper may buffer whole streams. Tests replace it. */

// A DOM emulation may have no `fetch`.
export let nativeFetch: typeof fetch = globalThis.fetch?.bind(globalThis);

/** Replaces `fetch` for the conversations that start from now on. Returns a function that restores the previous one. */
export const replaceFetch = (replacement: typeof fetch): (() => void) => {
  const previous = nativeFetch;
  nativeFetch = replacement;
  return () => {
    nativeFetch = previous;
  };
};
