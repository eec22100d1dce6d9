/** Tells whether the device is offline, and when it is online again. */
import { abortable } from '../api/clock.ts';

export interface Connectivity {
  isOnline(): boolean;
  /** Resolves when the device is online. Rejects with the signal's reason when the signal aborts first. */
  whenOnline(signal: AbortSignal): Promise<void>;
}

export const browserConnectivity: Connectivity = {
  // Only `false` is reliable: a network without internet access counts as online.
  isOnline: () => (globalThis.navigator as Navigator | undefined)?.onLine ?? true,
  whenOnline: (signal) => {
    const online = new Promise<void>((resolve) => {
      addEventListener('online', () => resolve(), { once: true, signal });
      if (browserConnectivity.isOnline()) resolve();
    });
    return abortable(online, signal);
  },
};
