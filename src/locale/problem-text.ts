/** Finds the sentences for notices and problems. */
import type { NoticeMessage, Problem, Turn } from '../chat/state/state.ts';
import { formatWait } from './format.ts';
import type { ProblemCode, Strings } from './strings.ts';
import type { TeamHours, teamReturn } from './team-hours.ts';

/** The part of a view that the sentences need. */
interface TextView {
  readonly strings: Strings;
  /** The BCP 47 tag for `Intl`. */
  readonly languageTag: string;
}

/** Codes that share the sentence of another code. */
const sharedSentences: Record<string, ProblemCode> = {
  identity_unavailable: 'unavailable',
  validation_error: 'message_refused',
};

/** The sentence for an unknown code, by HTTP status. */
const sentencesByStatus: Record<number, ProblemCode> = {
  401: 'not_authorised',
  402: 'not_authorised',
  403: 'not_authorised',
  413: 'too_large',
  422: 'message_refused',
  429: 'rate_limited',
  503: 'unavailable',
};

interface NoticeView extends TextView {
  readonly teamHours: TeamHours | null;
  readonly teamReturn: typeof teamReturn | null;
}

/** Returns when the team is back as seen from `now`, or an empty text while it is there, or its hours are unknown. */
export const teamReturnText = (now: number, view: NoticeView): string =>
  (view.teamHours && view.teamReturn?.(view.teamHours, now, view)) ?? '';

export const noticeText = ({ code, at }: NoticeMessage, view: NoticeView): string => {
  const text = view.strings.notices[code];
  return code === 'handoff' ? `${text} ${teamReturnText(at, view)}`.trim() : text;
};

/** Returns the widget's sentence for the problem, or else the service's error message. */
export const problemText = (
  { code, status, detail }: Problem,
  { strings: { problems } }: Pick<TextView, 'strings'>,
): string => {
  if (Object.hasOwn(problems, code)) return problems[code as ProblemCode];
  const known = Object.hasOwn(sharedSentences, code) ? sharedSentences[code] : sentencesByStatus[status];
  return known ? problems[known] : detail || problems.unknown;
};

type Wait = Extract<Turn, { status: 'waiting' }>;

/** Returns the sentence for a wait, with the remaining time as of now. */
export const waitText = ({ reason, until }: Wait, { strings, languageTag }: TextView): string => {
  const sentence = strings.waiting[reason];
  if (until === null) return sentence('');
  const seconds = Math.max(1, Math.ceil((until - performance.now()) / 1000));
  return sentence(formatWait(seconds, languageTag));
};
