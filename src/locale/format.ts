/** Numbers and times as the visitor's language writes them. Formatters are costly to make, so they are kept. */
const timeFormats = new Map<string, Intl.DateTimeFormat>();
const secondFormats = new Map<string, Intl.NumberFormat>();
const numberFormats = new Map<string, Intl.NumberFormat>();

const cached = <Format>(cache: Map<string, Format>, tag: string, create: () => Format): Format => {
  const format = cache.get(tag) ?? create();
  cache.set(tag, format);
  return format;
};

/** The time of day of `at` (milliseconds since the epoch). */
export const formatTime = (at: number, tag: string): string =>
  cached(timeFormats, tag, () => new Intl.DateTimeFormat(tag, { timeStyle: 'short' })).format(at);

/** A duration such as "12 seconds". */
export const formatSeconds = (seconds: number, tag: string): string =>
  cached(
    secondFormats,
    tag,
    () => new Intl.NumberFormat(tag, { style: 'unit', unit: 'second', unitDisplay: 'long' }),
  ).format(seconds);

export const formatNumber = (value: number, tag: string): string =>
  cached(numberFormats, tag, () => new Intl.NumberFormat(tag)).format(value);

/** A price such as "OMR 12.500"; a currency that nobody knows stands after its number. */
export const formatPrice = (price: number, currency: string | undefined, tag: string): string => {
  try {
    return new Intl.NumberFormat(tag, { style: 'currency', currency: currency! }).format(price);
  } catch {
    return `${formatNumber(price, tag)} ${currency ?? ''}`.trim();
  }
};

export const formatDateTime = (at: number, tag: string): string =>
  new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeStyle: 'short' }).format(at);

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** How long ago, or how soon, such as "2 hours ago". */
export const formatRelative = (at: number, now: number, tag: string): string => {
  const format = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' });
  const distance = at - now;
  const [unit, length] = units.find(([, length]) => Math.abs(distance) >= length) ?? ['second', 60_000];
  return format.format(Math.trunc(distance / length), unit);
};
