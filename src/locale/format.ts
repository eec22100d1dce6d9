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

/** Formats a price such as "OMR 12.500". An unknown currency follows its number. */
export const formatPrice = (price: number, currency: string | undefined, tag: string): string => {
  try {
    return price.toLocaleString(tag, { style: 'currency', currency: currency! });
  } catch {
    return `${formatNumber(price, tag)} ${currency ?? ''}`.trim();
  }
};

export const formatDateTime = (at: number, tag: string): string =>
  new Date(at).toLocaleString(tag, { dateStyle: 'long', timeStyle: 'short' });

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Formats a relative time such as "2 hours ago". */
export const formatRelative = (at: number, now: number, tag: string): string => {
  const format = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' });
  const distance = at - now;
  const [unit, length] = units.find(([, length]) => Math.abs(distance) >= length) ?? ['second', 60_000];
  return format.format(Math.trunc(distance / length), unit);
};
