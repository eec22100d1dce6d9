/** `AbortSignal.any`, also for Chrome 114 and Safari 17: returns a signal that aborts with the first of `signals`. */
export const anySignal = (signals: readonly AbortSignal[]): AbortSignal => {
  // oxlint-disable-next-line no-restricted-properties -- Used where it exists.
  if ('any' in AbortSignal) return AbortSignal.any([...signals]);
  const first = new AbortController();
  for (const signal of signals) {
    const abort = () => first.abort(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { signal: first.signal });
  }
  return first.signal;
};
