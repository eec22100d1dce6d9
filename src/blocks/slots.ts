/** Open times as the visitor's calendar has them: by day, in the visitor's time zone. */
import type { OpenTime } from '../../contract/wire.ts';

export interface Slot {
  /** As it was sent: ISO 8601. */
  readonly start: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The time of day, with the end where it is known. */
  readonly label: string;
  /** The same in the place's time zone, where the clocks there show another time; otherwise empty. */
  readonly placeLabel: string;
}

export interface Day {
  readonly label: string;
  readonly slots: readonly Slot[];
}

export interface Zones {
  /** For `Intl`. */
  readonly tag: string;
  /** The visitor's IANA time zone. */
  readonly zone: string;
  /** The place's, as it was sent. */
  readonly place: string;
}

const isZone = (timeZone: string): boolean => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone }));
  } catch {
    return false;
  }
};

/** Days and slots in the order of time. */
export const toDays = (times: readonly OpenTime[], { tag, zone, place }: Zones): Day[] => {
  const formatter = (options: Intl.DateTimeFormatOptions, timeZone = zone) =>
    new Intl.DateTimeFormat(tag, { ...options, timeZone });
  const there = isZone(place) ? place : zone;
  const date = { weekday: 'long', day: 'numeric', month: 'long' } as const;
  const time = { timeStyle: 'short' } as const;
  const [days, daysThere] = [formatter(date), formatter(date, there)];
  const [hours, hoursThere] = [formatter(time), formatter(time, there)];
  const weekday = formatter({ weekday: 'short' }, there);
  const found = new Map<string, Slot[]>();
  const sorted = times.map((each) => ({ ...each, at: Date.parse(each.start) })).sort((one, other) => one.at - other.at);
  for (const { start, end = '', at } of sorted) {
    const day = days.format(at);
    const until = Date.parse(end);
    const label = until > at ? hours.formatRange(at, until) : hours.format(at);
    const isSameDay = daysThere.format(at) === day;
    const timeThere = hoursThere.format(at);
    const isSame = isSameDay && timeThere === hours.format(at);
    const placeLabel = isSame ? '' : isSameDay ? timeThere : `${weekday.format(at)} ${timeThere}`;
    found.set(day, [...(found.get(day) ?? []), { start, at, label, placeLabel }]);
  }
  return [...found].map(([label, slots]) => ({ label, slots }));
};

/** What the place's time is called at that moment, such as "Gulf Standard Time". */
export const zoneName = (at: number, { tag, place }: Zones): string =>
  new Intl.DateTimeFormat(tag, { timeZone: place, timeZoneName: 'longGeneric' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value ?? place;

/** A slot in words: the day and the time. */
export const slotText = (at: number, { tag, zone: timeZone }: Zones): string =>
  new Intl.DateTimeFormat(tag, { dateStyle: 'full', timeStyle: 'short', timeZone }).format(at);
