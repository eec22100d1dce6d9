/** Files that are loaded on demand. */
import type { Clock } from '../api/clock.ts';
import { systemClock } from '../api/system-clock.ts';

/** The timeout of a file, in milliseconds. */
const timeout = 15_000;
/** Milliseconds between a failed attempt and the second one. */
const retryDelay = 500;

/** A file whose content can be read without waiting once it is loaded. */
export interface LazyFile<Content> {
  /** Null while the file is not loaded. */
  readonly value: Content | null;
  /** Resolves when the file is loaded, also when it arrives after the timeout. */
  readonly arrived: Promise<Content>;
  /**
   * Loads the file. A file that cannot be loaded is requested a second time.
   * @throws {Error} When that fails, too, or the file does not arrive in time. The next call tries again.
   */
  load(): Promise<Content>;
}

/**
 * @param request Requests the file, and returns the one export that is needed of it. Undefined, the export of an empty file, is
 * a failed load. `attempt` is 0 at first, and counts the repetitions.
 */
export const lazyFile = <Content>(
  request: (attempt: number) => Promise<Content | undefined>,
  clock: Pick<Clock, 'after'> = systemClock,
): LazyFile<Content> => {
  let value: Content | null = null;
  let loading: Promise<Content> | null = null;
  let attempts = 0;
  let onArrival = (_content: Content) => {};
  const arrived = new Promise<Content>((resolve) => {
    onArrival = resolve;
  });
  const requestOnce = async (): Promise<Content> => {
    const content = await request(attempts++);
    if (content === undefined) throw new TypeError('A file of the chat is empty.');
    value = content;
    onArrival(content);
    return content;
  };
  const requestTwice = (): Promise<Content> =>
    requestOnce().catch(async () => {
      await new Promise<void>((resolve) => void clock.after(retryDelay, resolve));
      return requestOnce();
    });
  const loadInTime = async (): Promise<Content> => {
    let cancel = () => {};
    const late = new Promise<never>((_, reject) => {
      cancel = clock.after(timeout, () => reject(new Error('A file of the chat did not arrive in time.')));
    });
    try {
      return await Promise.race([requestTwice(), late]);
    } finally {
      cancel();
      loading = null;
    }
  };
  return {
    arrived,
    get value() {
      return value;
    },
    load() {
      if (value !== null) return Promise.resolve(value);
      return (loading ??= loadInTime());
    },
  };
};
