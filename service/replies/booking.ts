/** Books a class: offers the next free times as a block, and reserves the place that the visitor chooses. */
import { and, eq, gt } from 'drizzle-orm';
import type { OpenTimesBlock, StatusCardBlock } from '../../contract/wire.ts';
import type { Db } from '../db/database.ts';
import type { Language } from '../core/language.ts';
import { bookings } from '../db/schema.ts';
import { freeTimes, type Calendar } from './calendar.ts';
import type { Action, Reply, Turn } from './reply-source.ts';
import { sentences } from './sentences.ts';

/** How many times a block offers. */
const offeredTimes = 6;

export const openTimesReply = async (db: Db, turn: Turn, action: Action): Promise<Reply> => {
  const { timeZone } = turn.agent;
  const calendar = action.config['settings'] as Calendar;
  const title = calendar.title[turn.language];
  const block: OpenTimesBlock = {
    type: 'open_times',
    id: action.id,
    title,
    timezone: timeZone,
    times: freeTimes(calendar, {
      timeZone,
      now: turn.now,
      taken: await takenTimes(db, turn, action),
      count: offeredTimes,
    }),
  };
  return { text: sentences[turn.language].times(title), outcome: 'answered', sources: [], blocks: [block] };
};

const takenTimes = async (db: Db, { now }: Turn, action: Action): Promise<Set<number>> => {
  const booked = await db
    .select({ startsAt: bookings.startsAt })
    .from(bookings)
    .where(and(eq(bookings.actionId, action.id), gt(bookings.startsAt, new Date(now))));
  return new Set(booked.map(({ startsAt }) => startsAt.getTime()));
};

/** Replies to a time chosen from the block of the previous message. The visitor's message ends with its ISO start. */
export const chosenTime = async (db: Db, turn: Turn): Promise<Reply | undefined> => {
  const block = turn.history
    .findLast((message) => message.role === 'assistant')
    ?.blocks?.find((each): each is OpenTimesBlock => each.type === 'open_times');
  const start = /\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(\.\d+)?([+-]\d\d:\d\d|Z)/.exec(turn.question)?.[0];
  if (!block || start === undefined) return undefined;
  const action = turn.actions.find(({ id }) => id === block.id);
  if (!action) return undefined;
  const text = sentences[turn.language];
  const startsAt = new Date(start);
  const time = block.times.find((each) => Date.parse(each.start) === startsAt.getTime());
  const isBooked =
    time !== undefined &&
    startsAt.getTime() > turn.now &&
    (await turn.effects.book(action, startsAt, new Date(time.end ?? time.start)));
  if (!isBooked) {
    const offer = await openTimesReply(db, turn, action);
    return { ...offer, text: text.timeGone };
  }
  const title = (action.config['settings'] as Calendar).title[turn.language];
  const when = formatTime(time.start, turn.language, turn.agent.timeZone);
  const card: StatusCardBlock = {
    type: 'status_card',
    title,
    status: text.bookingStatus,
    tone: 'success',
    rows: [{ label: text.when, value: when }],
  };
  return { text: text.booked(title, when), outcome: 'answered', sources: [], blocks: [card] };
};

const formatTime = (start: string, language: Language, timeZone: string): string => {
  const at = new Date(start);
  const format = (tag: string, options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat(tag, { timeZone, ...options }).format(at);
  const day = { weekday: 'long', day: 'numeric', month: 'long' } as const;
  if (language === 'en') return format('en-GB', { ...day, hour: '2-digit', minute: '2-digit' });
  // The pattern of `Intl` for both says «في 6:00 م», and has a comma behind the weekday.
  const [date, time] = [
    format('ar-OM-u-nu-latn', day),
    format('ar-OM-u-nu-latn', { hour: 'numeric', minute: '2-digit' }),
  ];
  return `${date.replace('، ', ' ')}، الساعة ${time}`;
};
