/** The clock that the widget uses, injected so that tests control it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds since an unspecified time, unaffected by changes of the device's clock. */
  monotonic(): number;
  /** Runs `callback` once after `delay` milliseconds. Returns a function that cancels it. */
  after(delay: number, callback: () => void): () => void;
}

/** Resolves or rejects as the promise does, or rejects with the signal's reason as soon as the signal aborts. */
export const abortable = <Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> =>
  new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });

/** Resolves after `delay` milliseconds. Rejects with the signal's reason as soon as the signal aborts. */
export const sleep = (clock: Clock, delay: number, signal: AbortSignal): Promise<void> => {
  let cancel = () => {};
  const elapsed = new Promise<void>((resolve) => {
    cancel = clock.after(delay, resolve);
  });
  return abortable(elapsed, signal).finally(() => cancel());
};

/** The timeout is split into steps, so that one overdue timer after device sleep does not consume all of it. */
const steps = 4;

/** Resolves to the promise's value, or to `fallback` when the promise has not settled after `delay` milliseconds. */
export const withTimeout = <Value, Fallback>(
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
