/**
 * Counts what runs on a page: frames, timers, idle and observer callbacks, requests, storage, locks and broadcasts. Import this
 * file before any file of `src/`, or add `countActivity` to a page as its first script.
 */

/** One thing that ran, and the stack of the call that started it. */
export interface Activity {
  kind: string;
  stack: string;
}

/**
 * Replaces the page's schedulers, observers, stores and channels by versions that record each use. Self-contained, so that its
 * source can be sent to a page.
 * @returns The list that grows with each use. Empty it to start counting.
 */
export const countActivity = (): Activity[] => {
  const activity: Activity[] = [];
  const page = globalThis as unknown as Record<string, any>;
  const note = (kind: string, stack = new Error().stack ?? ''): void => void activity.push({ kind, stack });

  /** Records the run of a callback, with the stack of the call that scheduled it. */
  const countRuns = (name: string): void => {
    const original = page[name];
    if (!original) return;
    page[name] = (callback: (...args: unknown[]) => unknown, ...rest: unknown[]) => {
      const { stack } = new Error();
      const run = (...args: unknown[]) => {
        note(name, stack);
        return callback(...args);
      };
      return original(run, ...rest);
    };
  };
  for (const name of ['requestAnimationFrame', 'setTimeout', 'setInterval', 'requestIdleCallback']) countRuns(name);

  for (const name of ['ResizeObserver', 'IntersectionObserver', 'MutationObserver', 'PerformanceObserver']) {
    const Original = page[name];
    page[name] = class extends Original {
      constructor(callback: (...args: unknown[]) => unknown, ...rest: unknown[]) {
        const { stack } = new Error();
        super(
          (...args: unknown[]) => {
            note(name, stack);
            return callback(...args);
          },
          ...rest,
        );
      }
    };
  }

  /** Records each call of a method. */
  const countCalls = (owner: any, name: string, kind: string): void => {
    const original = owner?.[name];
    if (!original) return;
    owner[name] = function (this: unknown, ...args: unknown[]) {
      note(kind);
      return original.apply(this, args);
    };
  };
  countCalls(page, 'fetch', 'fetch');
  countCalls(page['Navigator']?.prototype, 'sendBeacon', 'sendBeacon');
  countCalls(page['IDBFactory']?.prototype, 'open', 'IndexedDB');
  countCalls(page['IDBDatabase']?.prototype, 'transaction', 'IndexedDB');
  for (const name of ['getItem', 'setItem', 'removeItem']) countCalls(page['Storage']?.prototype, name, 'Storage');
  countCalls(page['LockManager']?.prototype, 'request', 'lock');
  countCalls(page['LockManager']?.prototype, 'query', 'lock');
  countCalls(page['BroadcastChannel']?.prototype, 'postMessage', 'broadcast');
  return activity;
};

/** Returns what ran, each kind with its place and its number, for a message that a person can read. */
export const describeActivity = (activity: readonly Activity[]): string => {
  const counts = new Map<string, number>();
  for (const { kind, stack } of activity) {
    const place = stack.split('\n').find((line) => /\/(src|demo)\/|workspace-chat|chat-|standalone|webview/.test(line));
    const key = `${kind} ${(place ?? stack.split('\n')[2] ?? '').trim()}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([key, count]) => `${count} × ${key}`).join('\n');
};
