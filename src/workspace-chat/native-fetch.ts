/** The browser's own `fetch`, taken before the page's scripts wrap it: a wrapper may buffer a stream whole. */
export const nativeFetch: typeof fetch = globalThis.fetch.bind(globalThis);
