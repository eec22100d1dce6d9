/** A clock for the page whose time passes only when the test says so. Short timers run by themselves. */

/** Milliseconds. Shorter timers only order tasks, or wait for a frame. */
const shortDelay = 150;

interface Timer {
  readonly at: number;
  readonly run: () => void;
  readonly interval: number | null;
}

/** Counts what the page is doing, so that the test knows when it has settled. */
export const activity = { count: 0, pending: 0 };

const native = {
  Date: globalThis.Date,
  setTimeout: globalThis.setTimeout.bind(globalThis),
  clearTimeout: globalThis.clearTimeout.bind(globalThis),
};

let now = 0;
let lastId = 1_000_000;
const timers = new Map<number, Timer>();
const short = new Set<number>();

/** Resolves after the page's own short timers have run. */
export const nextTask = (): Promise<void> => new Promise((resolve) => native.setTimeout(resolve));

const startShort = (run: () => void, delay: number): number => {
  activity.pending++;
  const id = native.setTimeout(() => {
    short.delete(id);
    activity.pending--;
    activity.count++;
    run();
  }, delay) as unknown as number;
  short.add(id);
  return id;
};

const start = (callback: TimerHandler, delay: number, interval: number | null, args: unknown[]): number => {
  const run = () => (callback as (...given: unknown[]) => void)(...args);
  if (delay < shortDelay && interval === null) return startShort(run, delay);
  timers.set(++lastId, { at: now + delay, run, interval });
  return lastId;
};

const clear = (id: number | undefined): void => {
  if (id === undefined || timers.delete(id) || !short.delete(id)) return;
  activity.pending--;
  native.clearTimeout(id);
};

/** Sets the time and runs the timers that are due. Returns when the next one is due, or null. */
export const moveClock = (to: number): number | null => {
  now = Math.max(now, to);
  for (;;) {
    const due = [...timers].filter(([, { at }]) => at <= now).sort(([, one], [, other]) => one.at - other.at)[0];
    if (!due) break;
    const [id, timer] = due;
    if (timer.interval === null) timers.delete(id);
    else timers.set(id, { ...timer, at: now + timer.interval });
    activity.count++;
    timer.run();
  }
  return timers.size === 0 ? null : Math.min(...[...timers.values()].map(({ at }) => at));
};

export const installClock = (at: number): void => {
  now = at;
  globalThis.Date = class extends native.Date {
    constructor(...args: unknown[]) {
      if (args.length === 0) super(now);
      else super(...(args as [number]));
    }
    static override now() {
      return now;
    }
  } as DateConstructor;
  // Both clocks advance with the timers, as in a browser.
  globalThis.performance.now = () => now - at;
  Object.assign(globalThis, {
    setTimeout: (callback: TimerHandler, delay = 0, ...args: unknown[]) => start(callback, delay, null, args),
    setInterval: (callback: TimerHandler, delay = 0, ...args: unknown[]) =>
      start(callback, delay, Math.max(1, delay), args),
    clearTimeout: clear,
    clearInterval: clear,
  });
};
