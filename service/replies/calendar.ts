/** The free times of something that happens every week at a place's own clock. */
import type { OpenTime } from '../../contract/wire.ts';

export interface Calendar {
  title: { en: string; ar: string };
  minutes: number;
  /** Weekday and hour: `['sat', '18:00']`. */
  weekly: [string, string][];
}

const day = 24 * 60 * 60 * 1000;
/** No place can be taken at shorter notice. */
const notice = 2 * 60 * 60 * 1000;

/** `taken`: the starts of places that are somebody's already, in milliseconds. */
export const freeTimes = (
  { weekly, minutes }: Calendar,
  { timeZone, now, taken, count }: { timeZone: string; now: number; taken: Set<number>; count: number },
): OpenTime[] => {
  const times: OpenTime[] = [];
  for (let ahead = 0; ahead < 60 && times.length < count; ahead++) {
    const { date, weekday } = localDay(now + ahead * day, timeZone);
    for (const [on, at] of weekly) {
      if (on !== weekday || times.length === count) continue;
      const start = atPlace(date, at, timeZone);
      if (start >= now + notice && !taken.has(start)) {
        times.push({ start: iso(start, timeZone), end: iso(start + minutes * 60_000, timeZone) });
      }
    }
  }
  return times;
};

const localDay = (at: number, timeZone: string): { date: string; weekday: string } => {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const weekday = new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'short' }).format(at).toLowerCase();
  return { date: parts.format(at), weekday };
};

/** The moment at which the clocks of the place show this day and hour. */
const atPlace = (date: string, hour: string, timeZone: string): number => {
  const asUtc = Date.parse(`${date}T${hour}:00Z`);
  const guess = asUtc - offset(asUtc, timeZone);
  return asUtc - offset(guess, timeZone);
};

/** Milliseconds the place is ahead of UTC at a moment. */
const offset = (at: number, timeZone: string): number => {
  const shown = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')!.value;
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(shown) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
};

const iso = (at: number, timeZone: string): string => {
  const ahead = offset(at, timeZone);
  const local = new Date(at + ahead).toISOString().slice(0, 19);
  const minutes = Math.abs(ahead) / 60_000;
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  return `${local}${ahead < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
};
