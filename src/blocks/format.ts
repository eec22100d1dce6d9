/** Formats the prices and times of blocks in the visitor's language. */

/** Formats a price such as "OMR 12.500". An unknown currency follows its number. */
export const formatPrice = (price: number, currency: string | undefined, tag: string): string => {
  try {
    // A left-to-right mark keeps the last sign of "US$" with its letters in a language that is written from right to left.
    return price.toLocaleString(tag, { style: 'currency', currency: currency! }).replace(/[A-Z]\p{Sc}$/u, '$&\u200e');
  } catch {
    return `${price.toLocaleString(tag)} ${currency ?? ''}`.trim();
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
