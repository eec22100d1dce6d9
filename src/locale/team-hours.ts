/** Finds when the team is back: see `team-hours`. All times are milliseconds since the epoch. */
import { formatTime, startOfDay } from './format.ts';
import type { Strings } from './strings.ts';

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

type Weekday = (typeof weekdays)[number];

/** What a page sets. */
export interface TeamHours {
  /** The team's time zone, such as `Asia/Muscat`. */
  timeZone: string;
  /** The opening times of each day, such as `{ sun: ['09:00-12:30', '14:00-17:00'] }`. `22:00-02:00` ends on the next day. */
  hours: Partial<Record<Weekday, readonly string[]>>;
  /** Days without opening times, such as `2026-12-02`. */
  closed?: readonly string[];
}

interface Period {
  /** Minutes since midnight. */
  start: number;
  end: number;
}

const minute = 60_000;
/** A team that is closed for longer has no next opening that a visitor could wait for. */
const maxDays = 31;

const toPeriod = (text: unknown): Period | null => {
  const match = /^([01]?\d|2[0-3]):([0-5]\d)\s*[-–]\s*([01]?\d|2[0-4]):([0-5]\d)$/.exec(String(text).trim());
  if (!match) return null;
  const [startHour, startMinute, endHour, endMinute] = match.slice(1).map(Number) as [number, number, number, number];
  const start = startHour * 60 + startMinute;
  const end = endHour * 60 + endMinute;
  return end > 24 * 60 ? null : { start, end: end > start ? end : end + 24 * 60 };
};

/** Returns what is wrong with a value, or null. */
export const findTeamHoursMistake = (value: Partial<TeamHours>): string | null => {
  const { timeZone, hours, closed = [] } = value;
  try {
    // Without a zone, the hours would be in that of each visitor.
    new Intl.DateTimeFormat('en', { timeZone: timeZone ?? '' }).format();
  } catch {
    return `timeZone: ${timeZone}`;
  }
  if (typeof hours !== 'object' || hours === null) return 'hours';
  for (const [name, periods] of Object.entries(hours)) {
    if (!weekdays.includes(name as Weekday) || !Array.isArray(periods)) return `hours.${name}`;
    const wrong = periods.find((period) => !toPeriod(period));
    if (wrong !== undefined) return `hours.${name}: ${String(wrong)}`;
  }
  if (!Array.isArray(closed)) return 'closed';
  const wrong = closed.find((date) => !/^\d{4}-\d{2}-\d{2}$/.test(String(date)));
  return wrong === undefined ? null : `closed: ${String(wrong)}`;
};

/** Returns the date and the time of an instant in a zone, as if the zone were UTC. */
const localTime = (at: number, timeZone: string): number => {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at);
  const valueOf = (type: string) => Number(parts.find((part) => part.type === type)!.value);
  return Date.UTC(
    valueOf('year'),
    valueOf('month') - 1,
    valueOf('day'),
    valueOf('hour'),
    valueOf('minute'),
    valueOf('second'),
  );
};

/** Returns the instant of a local time. A time that the clocks skip is as much later. */
const instantOf = (local: number, timeZone: string): number => {
  const one = local - (localTime(local, timeZone) - local);
  const other = local - (localTime(one, timeZone) - one);
  // Around a change of the clocks, both offsets are possible: the one that gives the local time is right.
  return [one, other].find((at) => localTime(at, timeZone) === local) ?? Math.max(one, other);
};

/**
 * Returns when the team is back, or null when it is there at `now`, or has no opening time within a month.
 * @example nextOpening({ timeZone: 'Asia/Muscat', hours: { sun: ['09:00-17:00'] } }, Date.now());
 */
export const nextOpening = ({ timeZone, hours, closed = [] }: TeamHours, now: number): number | null => {
  const today = new Date(localTime(now, timeZone));
  // Yesterday's last period may end today.
  for (let offset = -1; offset <= maxDays; offset++) {
    const midnight = Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() + offset);
    const date = new Date(midnight);
    if (closed.includes(date.toISOString().slice(0, 10))) continue;
    const periods = (hours[weekdays[date.getUTCDay()]!] ?? []).flatMap((text) => toPeriod(text) ?? []);
    const instants = periods
      .map(({ start, end }) => ({
        start: instantOf(midnight + start * minute, timeZone),
        end: instantOf(midnight + end * minute, timeZone),
      }))
      .toSorted((one, other) => one.start - other.start);
    if (instants.some(({ start, end }) => start <= now && now < end)) return null;
    const next = instants.find(({ start }) => start > now);
    if (next) return next.start;
  }
  return null;
};

/** The values that were examined, with the mistakes that the console has named. */
const examined = new WeakMap<TeamHours, string | null>();

const isValid = (hours: TeamHours): boolean => {
  if (!examined.has(hours)) {
    const mistake = findTeamHoursMistake(hours);
    examined.set(hours, mistake);
    if (mistake)
      console.error(
        `workspace-chat: “team-hours” has a wrong value, ${mistake}. Write {"timeZone": "Asia/Muscat", "hours": {"sun": ["09:00-17:00"]}}.`,
      );
  }
  return examined.get(hours) === null;
};

/** Returns the sentence that says when the team is back, in the visitor's own time, or an empty text while it is there. */
export const teamReturn = (
  hours: TeamHours,
  now: number,
  { strings, languageTag }: { readonly strings: Strings; readonly languageTag: string },
): string => {
  const at = isValid(hours) ? nextOpening(hours, now) : null;
  if (at === null) return '';
  // A day has 23 hours when the clocks are put forward.
  const days = Math.round((startOfDay(at) - startOfDay(now)) / 86_400_000);
  const isNear = days <= 1;
  const day = isNear
    ? new Intl.RelativeTimeFormat(languageTag, { numeric: 'auto' }).format(days, 'day')
    : new Date(at).toLocaleDateString(languageTag, {
        weekday: 'long',
        ...(days >= 7 && { day: 'numeric', month: 'long' }),
      });
  return strings.teamReturn(day, formatTime(at, languageTag), isNear);
};
