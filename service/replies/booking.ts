/** Booking a class: the next free times as a block, and the place reserved once one is chosen. */
import { and, eq, gt } from 'drizzle-orm';
import type { OpenTimesBlock, StatusCardBlock } from '../../contract/wire.ts';
import type { Db } from '../db/open.ts';
import type { Language } from '../core/language.ts';
import { bookings } from '../db/schema.ts';
import type { Action, Turn } from './reply-source.ts';
import { freeTimes, type Calendar } from './calendar.ts';
import type { Reply } from './reply.ts';
import { sentences } from './sentences.ts';

const offered = 6;

export const openTimesReply = async (db: Db, turn: Turn, action: Action): Promise<Reply> => {
  const said = sentences[turn.language];
  const { timeZone } = turn.agent;
  const calendar = action.config['settings'] as Calendar;
  const title = calendar.title[turn.language];
  const block: OpenTimesBlock = {
    type: 'open_times',
    id: action.id,
    title,
    timezone: timeZone,
    times: freeTimes(calendar, { timeZone, now: turn.now, taken: await taken(db, turn, action), count: offered }),
  };
  const lines = block.times.map(({ start }) => `- ${told(start, turn.language, timeZone)}`);
  return { text: `${said.times(title)}\n\n${lines.join('\n')}`, outcome: 'answered', sources: [], blocks: [block] };
};

const taken = async (db: Db, { now }: Turn, action: Action): Promise<Set<number>> => {
  const booked = await db
    .select({ startsAt: bookings.startsAt })
    .from(bookings)
    .where(and(eq(bookings.actionId, action.id), gt(bookings.startsAt, new Date(now))));
  return new Set(booked.map(({ startsAt }) => startsAt.getTime()));
};

/** A time chosen from the block of the message before: its ISO start ends the visitor's message. */
export const chosenTime = async (db: Db, turn: Turn): Promise<Reply | undefined> => {
  const block = turn.history
    .findLast((message) => message.role === 'assistant')
    ?.blocks?.find((each): each is OpenTimesBlock => each.type === 'open_times');
  const start = /\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(\.\d+)?([+-]\d\d:\d\d|Z)/.exec(turn.question)?.[0];
  if (!block || start === undefined) return undefined;
  const action = turn.actions.find(({ id }) => id === block.id);
  if (!action) return undefined;
  const said = sentences[turn.language];
  const startsAt = new Date(start);
  const time = block.times.find((each) => Date.parse(each.start) === startsAt.getTime());
  const booked =
    time !== undefined &&
    startsAt.getTime() > turn.now &&
    (await turn.keep.booking(action, startsAt, new Date(time.end ?? time.start)));
  if (!booked) {
    const again = await openTimesReply(db, turn, action);
    return { ...again, text: `${said.timeGone}${again.text.slice(again.text.indexOf('\n\n'))}` };
  }
  const title = (action.config['settings'] as Calendar).title[turn.language];
  const when = told(time.start, turn.language, turn.agent.timeZone);
  const card: StatusCardBlock = {
    type: 'status_card',
    title,
    status: said.bookingStatus,
    tone: 'success',
    rows: [{ label: said.when, value: when }],
  };
  return { text: said.booked(title, when), outcome: 'answered', sources: [], blocks: [card] };
};

const told = (start: string, language: Language, timeZone: string): string => {
  return new Intl.DateTimeFormat(language === 'ar' ? 'ar-OM-u-nu-latn' : 'en-GB', {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(start));
};
