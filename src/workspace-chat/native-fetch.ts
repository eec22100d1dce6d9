/** The browser's `fetch`, captured before the page's scripts wrap it: a wrapper may buffer whole streams. */
export const nativeFetch: typeof fetch = globalThis.fetch.bind(globalThis);
