/** Formats numbers and times in the visitor's language. */

/** The formatters by language. Creating one is slow, and each message has a time. */
const timeFormats = new Map<string, Intl.DateTimeFormat>();

/** Formats the time of day of `at`, in milliseconds since the epoch. */
export const formatTime = (at: number, tag: string): string => {
  const format = timeFormats.get(tag) ?? new Intl.DateTimeFormat(tag, { timeStyle: 'short' });
  timeFormats.set(tag, format);
  return format.format(at);
};

/** Formats a wait in seconds, or in minutes when it is longer than a minute and a half. */
export const formatWait = (seconds: number, tag: string): string => {
  const [value, unit] = seconds > 90 ? [Math.round(seconds / 60), 'minute'] : [seconds, 'second'];
  return value.toLocaleString(tag, { style: 'unit', unit, unitDisplay: 'long' });
};

export const formatNumber = (value: number, tag: string): string => value.toLocaleString(tag);
