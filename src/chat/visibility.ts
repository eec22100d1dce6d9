/** Tells whether the page is visible, so that work for a visitor who is looking can pause. */
import { anySignal } from '../api/abort.ts';
import { abortable } from '../api/clock.ts';

export interface Visibility {
  /** Resolves when the page is visible. Rejects with the signal's reason when the signal aborts first. */
  whenVisible(signal: AbortSignal): Promise<void>;
  /** Calls `listener` when the page is hidden. Returns an unsubscribe function. */
  onHidden(listener: () => void): () => void;
  close(): void;
}

/** @param isAwake Whether the work goes on while the page is hidden. */
export const pageVisibility = (isAwake = (): boolean => false): Visibility => {
  const isHidden = () => document.hidden && !isAwake();
  const closed = new AbortController();
  const listen = (matchesState: () => boolean, listener: () => void): (() => void) => {
    const ended = new AbortController();
    const signal = anySignal([ended.signal, closed.signal]);
    document.addEventListener('visibilitychange', () => matchesState() && listener(), { signal });
    return () => ended.abort();
  };
  return {
    whenVisible(signal) {
      let stop = () => {};
      const visible = new Promise<void>((resolve) => {
        stop = listen(() => !isHidden(), resolve);
        if (!isHidden()) resolve();
      });
      return abortable(visible, signal).finally(stop);
    },
    onHidden: (listener) => listen(isHidden, listener),
    close: () => closed.abort(),
  };
};
