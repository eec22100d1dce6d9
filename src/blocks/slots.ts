/** Groups open times by day in the visitor's time zone. */
import type { OpenTime } from '../../contract/wire.ts';

export interface Slot {
  /** The start as the service sent it, in ISO 8601. */
  readonly start: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The time of day, with the end if it is known. */
  readonly label: string;
  /** The time at the place of the event, or an empty string when the clocks there show the same time. */
  readonly placeLabel: string;
}

export interface Day {
  readonly label: string;
  readonly slots: readonly Slot[];
}

export interface Zones {
  /** The BCP 47 tag for `Intl`. */
  readonly tag: string;
  /** The visitor's IANA time zone. */
  readonly zone: string;
  /** The IANA time zone of the place of the event, as the service sent it. */
  readonly place: string;
}

const isZone = (timeZone: string): boolean => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone }));
  } catch {
    return false;
  }
};

const hourMs = 3_600_000;

/** Whether the clocks show the same time an hour later or earlier, because they are put back. */
const isRepeated = (at: number, hours: Intl.DateTimeFormat): boolean =>
  [at - hourMs, at + hourMs].some((other) => hours.format(other) === hours.format(at));

/** Groups the times into days, in chronological order. */
export const toDays = (times: readonly OpenTime[], { tag, zone, place }: Zones): Day[] => {
  const formatter = (options: Intl.DateTimeFormatOptions, timeZone = zone) =>
    new Intl.DateTimeFormat(tag, { ...options, timeZone });
  const there = isZone(place) ? place : zone;
  const date = { weekday: 'long', day: 'numeric', month: 'long' } as const;
  const time = { timeStyle: 'short' } as const;
  const [days, daysThere] = [formatter(date), formatter(date, there)];
  const [hours, hoursThere] = [formatter(time), formatter(time, there)];
  const zonedHours = formatter({ hour: 'numeric', minute: '2-digit', timeZoneName: 'short' });
  const weekday = formatter({ weekday: 'short' }, there);
  const found = new Map<string, Slot[]>();
  const sorted = times.map((each) => ({ ...each, at: Date.parse(each.start) })).sort((one, other) => one.at - other.at);
  for (const { start, end = '', at } of sorted) {
    const day = days.format(at);
    const until = Date.parse(end);
    const shown = isRepeated(at, hours) ? zonedHours : hours;
    // A range of two days would have their dates, in digits.
    const range = (): string =>
      days.format(until) === day ? shown.formatRange(at, until) : `${shown.format(at)} – ${shown.format(until)}`;
    const label = until > at ? range() : shown.format(at);
    const isSameDay = daysThere.format(at) === day;
    const timeThere = hoursThere.format(at);
    const isSame = isSameDay && timeThere === hours.format(at);
    const placeLabel = isSame ? '' : isSameDay ? timeThere : `${weekday.format(at)} ${timeThere}`;
    found.set(day, [...(found.get(day) ?? []), { start, at, label, placeLabel }]);
  }
  return [...found].map(([label, slots]) => ({ label, slots }));
};

/** Returns the name of the time zone of the event's place at that moment, such as "Gulf Standard Time". */
export const zoneName = (at: number, { tag, place }: Zones): string =>
  new Intl.DateTimeFormat(tag, { timeZone: place, timeZoneName: 'longGeneric' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value ?? place;

/** Formats a slot as text: the day and the time. */
export const slotText = (at: number, { tag, zone: timeZone }: Zones): string => {
  const format = (timeStyle: 'short' | 'long') =>
    new Intl.DateTimeFormat(tag, { dateStyle: 'full', timeStyle, timeZone });
  const short = format('short');
  return (isRepeated(at, short) ? format('long') : short).format(at);
};
