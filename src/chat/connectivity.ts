/** Tells whether the device is offline, and when it is online again. */
export interface Connectivity {
  isOnline(): boolean;
  /** Resolves when the device is online. Rejects with the signal's reason when the signal aborts first. */
  whenOnline(signal: AbortSignal): Promise<void>;
}

export const browserConnectivity: Connectivity = {
  // Only `false` is reliable: a network without internet access counts as online.
  isOnline: () => (globalThis.navigator as Navigator | undefined)?.onLine ?? true,
  whenOnline: (signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const done = new AbortController();
      const once = { once: true, signal: done.signal };
      const settle = (finish: () => void) => () => {
        done.abort();
        finish();
      };
      addEventListener('online', settle(resolve), once);
      signal.addEventListener(
        'abort',
        settle(() => reject(signal.reason)),
        once,
      );
      if (browserConnectivity.isOnline()) settle(resolve)();
    }),
};
