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
