/** Formats times in the visitor's language. */

/** The formatters by language. Creating one is slow, and each message has a time. */
const timeFormats = new Map<string, Intl.DateTimeFormat>();

/** The minute that was formatted last. A message and its reply often have the same one. */
let last = { key: '', text: '' };

/** Formats the time of day of `at`, in milliseconds since the epoch. */
export const formatTime = (at: number, tag: string): string => {
  const key = `${Math.floor(at / 60_000)} ${tag}`;
  if (key === last.key) return last.text;
  const format = timeFormats.get(tag) ?? new Intl.DateTimeFormat(tag, { timeStyle: 'short' });
  timeFormats.set(tag, format);
  last = { key, text: format.format(at) };
  return last.text;
};

/** Returns the beginning of the day of `at`. Both in milliseconds since the epoch. */
export const startOfDay = (at: number): number => new Date(at).setHours(0, 0, 0, 0);

/**
 * Formats the day of `at` as seen from `now`: "Yesterday", "Friday 20 November", or in another year "Friday 20 November 2025".
 * Both in milliseconds since the epoch.
 */
export const formatDay = (at: number, now: number, tag: string): string => {
  // A day has 23 hours when the clocks are put forward.
  const days = Math.round((startOfDay(at) - startOfDay(now)) / 86_400_000);
  const name =
    days === 0 || days === -1
      ? new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }).format(days, 'day')
      : new Date(at).toLocaleDateString(tag, {
          weekday: 'long',
          day: 'numeric',
          month: 'long',
          ...(new Date(at).getFullYear() !== new Date(now).getFullYear() && { year: 'numeric' }),
        });
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
};

/** Formats a wait in seconds, or in minutes when it is longer than a minute and a half. */
export const formatWait = (seconds: number, tag: string): string => {
  const [value, unit] = seconds > 90 ? [Math.round(seconds / 60), 'minute'] : [seconds, 'second'];
  return value.toLocaleString(tag, { style: 'unit', unit, unitDisplay: 'long' });
};

/** Returns the name of a language in that language. */
export const languageName = (tag: string): string => {
  const name = new Intl.DisplayNames(tag, { type: 'language' }).of(tag)!;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
};
