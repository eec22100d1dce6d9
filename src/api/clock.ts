/** Time as the widget sees it, passed in so that tests own it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `callback` once after `delay` milliseconds; the answer cancels it. */
  after(delay: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delay, callback) {
    const timer = setTimeout(callback, delay);
    return () => clearTimeout(timer);
  },
};

/** Resolves after `delay` milliseconds; rejects with the signal's reason as soon as it aborts. */
export const sleep = (clock: Clock, delay: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const onAbort = () => {
      cancel();
      reject(signal.reason);
    };
    const cancel = clock.after(delay, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    signal.addEventListener('abort', onAbort, { once: true });
  });

/** The promise's value, unless the signal aborts first: what ignores its signal is left behind. */
export const orAbort = <Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> =>
  new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });

/** A page that slept finds all its time gone at once: that counts as one step of so many. */
const steps = 4;

/** The promise's value, or `fallback` when it has not settled after `delay` milliseconds in which the page was awake. */
export const within = <Value, Fallback>(
  clock: Clock,
  delay: number,
  promise: Promise<Value>,
  fallback: Fallback,
): Promise<Value | Fallback> =>
  new Promise((resolve, reject) => {
    let left = steps;
    let cancel = () => {};
    const step = () => {
      if (left-- > 0) cancel = clock.after(delay / steps, step);
      else resolve(fallback);
    };
    step();
    promise.then(
      (value) => {
        cancel();
        resolve(value);
      },
      (error) => {
        cancel();
        reject(error);
      },
    );
  });
