/** Booking a class: the next free times as a block, and the place reserved once one is chosen. */
import type { OpenTimesBlock, StatusCardBlock } from '../../../src/api/wire.ts';
import type { Language } from '../db/schema.ts';
import type { Action, Turn } from './answerer.ts';
import type { Reply } from './reply.ts';
import { sentences } from './sentences.ts';
import { nextTimes, type Calendar } from './calendar.ts';

const offered = 6;

export function bookClass(turn: Turn, action: Action): Reply {
  const said = sentences[turn.language];
  const calendar = action.config['settings'] as Calendar;
  const title = calendar.title[turn.language];
  const block: OpenTimesBlock = {
    type: 'open_times',
    id: action.id,
    title,
    timezone: turn.agent.timeZone,
    times: nextTimes(calendar, turn.agent.timeZone, turn.now, offered),
  };
  const lines = block.times.map(({ start }) => `- ${told(start, turn.language, turn.agent.timeZone)}`);
  return { text: `${said.times(title)}\n\n${lines.join('\n')}`, outcome: 'answered', sources: [], blocks: [block] };
}

/** A time chosen from the block of the message before: its ISO start ends the visitor's message. */
export function chosenTime(turn: Turn): Reply | undefined {
  const block = turn.history
    .findLast((message) => message.role === 'assistant')
    ?.blocks?.find((each): each is OpenTimesBlock => each.type === 'open_times');
  const start = /\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(\.\d+)?([+-]\d\d:\d\d|Z)/.exec(turn.question)?.[0];
  if (!block || start === undefined) return undefined;
  const said = sentences[turn.language];
  const action = turn.actions.find(({ id }) => id === block.id);
  const free = block.times.some((time) => Date.parse(time.start) === Date.parse(start)) && Date.parse(start) > turn.now;
  if (!action) return undefined;
  if (!free) {
    const again = bookClass(turn, action);
    return { ...again, text: `${said.timeGone}${again.text.slice(again.text.indexOf('\n\n'))}` };
  }
  const title = (action.config['settings'] as Calendar).title[turn.language];
  const when = told(start, turn.language, turn.agent.timeZone);
  const card: StatusCardBlock = {
    type: 'status_card',
    title,
    status: said.bookingStatus,
    tone: 'success',
    rows: [{ label: said.when, value: when }],
  };
  return { text: said.booked(title, when), outcome: 'answered', sources: [], blocks: [card] };
}

function told(start: string, language: Language, timeZone: string): string {
  return new Intl.DateTimeFormat(language === 'ar' ? 'ar-OM-u-nu-latn' : 'en-GB', {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(start));
}
