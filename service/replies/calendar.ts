/** The free times of an event that repeats every week in the time zone of its place. */
import type { OpenTime } from '../../contract/wire.ts';

export interface Calendar {
  title: { en: string; ar: string };
  minutes: number;
  /** Weekday and time of day: `['sat', '18:00']`. */
  weekly: [string, string][];
}

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const day = 24 * 60 * 60 * 1000;
/** Milliseconds from now until the earliest time that can be booked. */
const minNotice = 2 * 60 * 60 * 1000;

/** `taken` contains the start times that are booked, in milliseconds since the epoch. */
export const freeTimes = (
  { weekly, minutes }: Calendar,
  { timeZone, now, taken, count }: { timeZone: string; now: number; taken: Set<number>; count: number },
): OpenTime[] => {
  const times: OpenTime[] = [];
  const today = Date.parse(localDate(now, timeZone));
  for (let ahead = 0; ahead < 60 && times.length < count; ahead++) {
    // The local dates are counted in UTC, because a local day has 23 or 25 hours when the clock changes.
    const date = new Date(today + ahead * day);
    for (const [on, at] of weekly) {
      if (on !== weekdays[date.getUTCDay()] || times.length === count) continue;
      const start = utcTime(date.toISOString().slice(0, 10), at, timeZone);
      if (start >= now + minNotice && !taken.has(start)) {
        times.push({ start: iso(start, timeZone), end: iso(start + minutes * 60_000, timeZone) });
      }
    }
  }
  return times;
};

const localDate = (at: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at);

/** Converts a local date and time to milliseconds since the epoch. */
const utcTime = (date: string, hour: string, timeZone: string): number => {
  const asUtc = Date.parse(`${date}T${hour}:00Z`);
  const guess = asUtc - offset(asUtc, timeZone);
  return asUtc - offset(guess, timeZone);
};

/** Returns by how many milliseconds the time zone is ahead of UTC at the given time. */
const offset = (at: number, timeZone: string): number => {
  const name = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')!.value;
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
};

const iso = (at: number, timeZone: string): string => {
  const ahead = offset(at, timeZone);
  const local = new Date(at + ahead).toISOString().slice(0, 19);
  const minutes = Math.abs(ahead) / 60_000;
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  return `${local}${ahead < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
};
