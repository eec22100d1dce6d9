/** Whether the device says that it is offline, and when it no longer does. */
export interface Connectivity {
  isOnline(): boolean;
  /** Resolves once the device is online; rejects with the signal's reason when that aborts first. */
  whenOnline(signal: AbortSignal): Promise<void>;
}

export const browserConnectivity: Connectivity = {
  // Only `false` means something: a network without internet counts as online.
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
