/** What is announced and where focus goes, for each event of the panel. `docs/accessibility.md` contains the same table. */
import type { Block } from '../../contract/wire.ts';
import { localize } from '../blocks/block-context.ts';
import type { ChatEvent } from '../chat/state/chat-event.ts';
import { isBusy, type ChatMessage, type ConversationState, type ToolRun } from '../chat/state/state.ts';
import type { ViewState } from '../controllers/chat-context.ts';
import { countedText } from '../locale/counted-text.ts';
import { noticeText, problemText, waitText } from '../locale/problem-text.ts';
import { languageName } from '../locale/format.ts';
import { consentAnnouncement, timeLeftText } from '../locale/tool-text.ts';
import { authorName, otherLanguage, spokenText } from './message-text.ts';

/** Events of the conversation. */
type ConversationEvent =
  | 'reply-completed'
  | 'team-message-received'
  | 'notice-added'
  | 'message-sent'
  | 'message-waiting'
  | 'turn-failed'
  | 'reply-stopped'
  | 'consent-requested'
  | 'conversation-erased'
  | 'conversation-hidden'
  | 'message-edited'
  | 'control-removed';

/** Events of the panel itself, and of a question of a tool that is running out of time. */
type PanelEvent =
  | 'consent-expiring'
  | 'consent-timed-out'
  | 'suggestions-shown'
  | 'text-copied'
  | 'text-failed'
  | 'language-changed'
  | 'conversation-started';

export type AttentionEvent = ConversationEvent | PanelEvent;

/** The state of the conversation after the event, how it is shown, and the message that was added, if any. */
export interface Moment {
  readonly state: ConversationState;
  readonly view: ViewState;
  readonly message: ChatMessage | null;
}

/** A row of the table that applies, and the added message that it is about. */
export interface Occurrence {
  readonly event: AttentionEvent;
  readonly message: ChatMessage | null;
}

/** A text to announce, alone or with its language if that is not the one of the chat. */
export type Announcement = string | readonly [text: string, lang: string];

export interface AttentionRow {
  /** `next` is the composer, or on touch screens the transcript: focusing the composer would open the keyboard over the messages. */
  readonly focus?: 'composer' | 'next';
  /** Returns the text to announce, or an empty string for none, or its parts in several languages. */
  readonly announcement?: (moment: Moment) => string | readonly Announcement[];
  /** Whether the announcement interrupts others. */
  readonly isUrgent?: boolean;
  /** Milliseconds before the announcement. Another announcement cancels it. */
  readonly delay?: number;
}

/** Milliseconds before suggestions are announced: the reply comes first. */
const suggestionsDelay = 1_000;
/** Milliseconds without a reply after which the visitor is told that it is on its way. */
const replyDelay = 2_000;

/** Returns the name of a block for screen readers, such as “Form, 6 fields”, or an empty string for one of an unknown type. */
const blockName = (block: Block, view: ViewState): string => {
  if (block.type === 'unknown') return '';
  if (block.type === 'status_card') return `${localize(block.title, { view })}: ${localize(block.status, { view })}`;
  // Each of these blocks has one list: of fields, options, times, items or links.
  const entries: unknown[] = Object.values(block).find(Array.isArray) ?? [];
  return countedText(view.strings.blockNames[block.type], view.pluralRule, entries.length, view.languageTag);
};

const replyText = ({ message, view }: Moment): string | readonly Announcement[] => {
  if (message?.role !== 'assistant') return '';
  const author = authorName(message, view);
  const text = spokenText(message);
  const names = message.blocks.map((block) => blockName(block, view));
  const lang = otherLanguage(message, view);
  if (lang && text) return [`${author}:`, [text, lang], ...names];
  return `${author}: ${[text, ...names].filter(Boolean).join('\n') || view.strings.newMessages}`;
};

/** Returns a text about the questions that wait for the visitor, if there are any. */
const consentText =
  (textOf: (run: ToolRun, view: ViewState) => string, isMeant: (run: ToolRun) => boolean = () => true) =>
  ({ state: { turn }, view }: Moment): string => {
    const runs =
      turn.status === 'calling' ? turn.reply.tools.filter((run) => run.phase === 'asked' && isMeant(run)) : [];
    return runs.map((run) => textOf(run, view)).join('\n');
  };

export const attentionTable: Readonly<Record<AttentionEvent, AttentionRow>> = {
  'reply-completed': { announcement: replyText },
  'team-message-received': { announcement: replyText },
  'notice-added': {
    announcement: ({ message, view }) => (message?.role === 'notice' ? noticeText(message, view) : ''),
  },
  'message-sent': {
    announcement: ({ state, view }) => (isBusy(state) ? view.strings.replying : ''),
    delay: replyDelay,
  },
  'message-waiting': {
    announcement: ({ state: { turn }, view }) => (turn.status === 'waiting' ? waitText(turn, view) : ''),
  },
  'turn-failed': {
    announcement: ({ state: { turn }, view }) => (turn.status === 'failed' ? problemText(turn.problem, view) : ''),
    isUrgent: true,
  },
  'reply-stopped': { announcement: ({ view }) => view.strings.stopped },
  'consent-requested': { announcement: consentText(consentAnnouncement), isUrgent: true },
  'conversation-erased': { announcement: ({ view }) => view.strings.conversationErased },
  'conversation-hidden': {},
  'message-edited': { focus: 'composer' },
  'control-removed': { focus: 'next' },
  'consent-expiring': {
    announcement: consentText(timeLeftText, ({ isExpiring }) => isExpiring === true),
    isUrgent: true,
  },
  'consent-timed-out': { announcement: ({ view }) => view.strings.questionTimedOut, isUrgent: true },
  'suggestions-shown': {
    announcement: ({ view: { strings, suggestions } }) =>
      suggestions ? [`${strings.suggestions}:`, ...suggestions.texts].join('\n') : '',
    delay: suggestionsDelay,
  },
  'text-copied': { announcement: ({ view }) => view.strings.code.copied },
  'text-failed': { announcement: ({ view: { strings } }) => strings.tools.failed(strings.code.copy) },
  'language-changed': { announcement: ({ view }) => languageName(view.locale) },
  'conversation-started': { focus: 'next' },
};

const messageEvent = (message: ChatMessage): AttentionEvent | null => {
  if (message.role === 'notice') return 'notice-added';
  if (message.role === 'user') return null;
  if (message.ending !== 'whole') return null;
  return message.actor === 'owner' ? 'team-message-received' : 'reply-completed';
};

/** Returns the messages that a change of the state has added. A reply may come with a notice. */
const addedMessages = ({ messages }: ConversationState, previous: ConversationState): ChatMessage[] => {
  if (messages === previous.messages) return [];
  const known = new Set(previous.messages.map(({ key }) => key));
  return messages.filter(({ key }) => !known.has(key));
};

/** Whether the turn has begun to wait, or waits for another reason than before. */
const isNewWait = ({ turn }: ConversationState, previous: ConversationState): boolean =>
  turn.status === 'waiting' && !(previous.turn.status === 'waiting' && previous.turn.reason === turn.reason);

/** The events of a conversation that have a row of their own. */
const rowsByType: Partial<Record<ChatEvent['type'], AttentionEvent>> = {
  'turn-sent': 'message-sent',
  'turn-failed': 'turn-failed',
  'turn-stopped': 'reply-stopped',
  'turn-withdrawn': 'reply-stopped',
  'message-edited': 'message-edited',
};

const consentEvent = ({ phase, isExpiring, isTimedOut }: ToolRun): AttentionEvent | null => {
  if (isTimedOut) return 'consent-timed-out';
  if (phase !== 'asked') return null;
  return isExpiring ? 'consent-expiring' : 'consent-requested';
};

const eventOf = (event: ChatEvent, state: ConversationState, previous: ConversationState): AttentionEvent | null => {
  if (event.type === 'cleared') return previous.messages.length > 0 ? 'conversation-erased' : 'conversation-hidden';
  if (state.status !== 'ready') return 'conversation-hidden';
  if (event.type === 'tool-changed') return consentEvent(event.run);
  return isNewWait(state, previous) ? 'message-waiting' : (rowsByType[event.type] ?? null);
};

/** Returns the rows that apply to a change of the state, in the order of their announcements. */
export const occurrencesOf = (
  event: ChatEvent,
  state: ConversationState,
  previous: ConversationState,
): Occurrence[] => {
  if (event.type === 'restored') return [];
  const own = eventOf(event, state, previous);
  const occurrences: Occurrence[] = own ? [{ event: own, message: null }] : [];
  if (state.status !== 'ready' || event.type === 'cleared') return occurrences;
  for (const message of addedMessages(state, previous)) {
    const added = messageEvent(message);
    if (added) occurrences.push({ event: added, message });
  }
  return occurrences;
};
