/** The types of all strings of the widget. A language that lacks one does not compile. */
import type { Availability, ConversationStateName, LocalizedText } from '../../contract/wire.ts';
import type { CountedText } from './counted-text.ts';
import type { Language } from './language.ts';
import type { LauncherStrings } from './launcher-strings.ts';
import type { NoticeMessage, ToolPhase, WaitReason } from '../chat/state/state.ts';

/** The problems that have their own sentence. For others, the service's error message or `unknown` is shown. */
export type ProblemCode =
  | 'network'
  | 'unexpected_response'
  | 'interrupted'
  | 'timeout'
  | 'response_too_large'
  | 'not_authorised'
  | 'agent_unavailable'
  | 'not_found'
  | 'message_refused'
  | 'too_large'
  | 'rate_limited'
  | 'unavailable'
  | 'identity_rejected'
  | 'internal_error'
  | 'unknown';

/** All strings of the widget. */
export interface Strings extends LauncherStrings {
  heading: string;
  greeting: string;
  starters: readonly string[];
  /** The notice below the composer. Empty for none. */
  notice: string;
  /** The privacy link below the composer, shown when both are set. */
  privacyLabel: string;
  privacyUrl: string;

  status: Record<ConversationStateName, string>;
  /** Says when the team is back. A near day is “today” or “tomorrow”, any other one is a weekday or a date. */
  teamReturn: (day: string, time: string, isNear: boolean) => string;
  menu: string;
  transcript: string;
  newMessages: string;

  message: string;
  placeholder: string;
  send: string;
  stop: string;

  you: string;
  assistant: string;
  person: string;
  thinking: string;
  sources: string;

  /** Marks the chosen option for screen readers. */
  chosen: string;
  choose: string;
  /** Shown below a form that was submitted. */
  sent: string;
  /** The first entry of a select field. */
  select: string;
  /** Follows the label of an optional field. */
  optional: string;
  fieldProblems: Record<'required' | 'email' | 'phone' | 'number' | 'date', string>;
  /** Explains why fields of a form are left out. `labels` is the list of their labels. */
  noSecrets: (labels: string) => string;
  availability: Record<Availability, string>;
  /** `when` is a relative time such as "two hours ago". */
  updated: (when: string) => string;
  details: string;
  moreTimes: string;
  /** Explains that each time is shown in the visitor's time zone first, then in the named one. */
  twoTimes: (zone: string) => string;

  /**
   * The labels of code blocks and tables. `code` returns the accessible name of a code block for a language, or for an empty string.
   * `table` shows a table that is too wide in a dialog, and `close` closes it.
   */
  code: Record<'copy' | 'copied' | 'table' | 'close', string> & { code: (language: string) => string };

  /** The name of the messages that the page offers below a reply. */
  suggestions: string;
  /** The button that agrees to the site's text, and what is shown while the site has not asked yet. */
  consent: Record<'agree' | 'missing', string>;
  rating: Record<'question' | 'good' | 'bad' | 'thanks', string>;
  /** The transcript by e-mail: the menu's entry, the field, and what became of it. */
  mail: Record<'offer' | 'address' | 'refused' | 'failed', string> & { sent: (address: string) => string };
  /** The past conversations: the menu's entry and the list. */
  history: Record<'title' | 'back' | 'none' | 'failed', string>;
  /** The offer of a notice while the page is hidden, and the notice itself. */
  notify: Record<'offer' | 'allow' | 'blocked', string> & { replied: (name: string) => string };

  notConfirmed: string;
  notSent: string;
  interrupted: string;

  notices: Record<NoticeMessage['code'], string>;
  /** What a reply contains besides its text: the number of fields, choices, times, products or links. */
  blockNames: Record<'form' | 'options' | 'open_times' | 'products' | 'links', CountedText<number>>;
  /** `excess` is the formatted `count` of characters beyond the limit. */
  tooLong: CountedText<string>;
  sendAgain: string;
  edit: string;
  askAgain: string;
  stopped: string;
  /** The status while the device is offline. */
  offline: string;
  /** The names of the thumbs, and the question below them. */
  feedback: Record<'up' | 'down' | 'comment', string>;
  /** The action of a conversation that has ended. */
  startAgain: string;
  /** Announced when a reply takes longer than two seconds. */
  replying: string;
  /** Announced when the conversation was erased. */
  conversationErased: string;
  refused: string;
  limit: string;
  degraded: string;
  replyingInOtherTab: string;
  stillWorking: string;
  memoryOnly: string;
  /** `seconds` is formatted for the language, or empty when the end of the wait is unknown. */
  waiting: Record<WaitReason, (seconds: string) => string>;
  problems: Record<ProblemCode, string>;

  /** What is shown of a call, by its phase. */
  tools: Record<ToolPhase, (title: string) => string>;
  toolQuestion: (title: string) => string;
  /** The title of a tool that has neither a title nor a description. */
  untitledTool: string;
  /** `time` is what is left to reply to a question of a tool, formatted for the language. */
  timeLeft: (time: string) => string;
  questionTimedOut: string;
  allow: string;
  refuse: string;

  dictate: string;
  readAloud: string;

  newConversation: string;
  download: string;
  sound: string;
  expand: string;
  reduce: string;
}

/** The strings that a page overrides, also within tables. */
export type StringOverrides = {
  [Key in keyof Strings]?: Strings[Key] extends Record<string, unknown> ? Partial<Strings[Key]> : Strings[Key];
};

/** Whether a string is a table of texts. The forms of a counted text, which always include `other`, belong together. */
export const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !('other' in value);

/**
 * Returns the strings with the page's overrides. A plain text in place of a function, or of the forms of a counted text, is shown as
 * it is. A text in place of a list, and a list in place of a text, are ignored.
 */
export const overrideStrings = <Own extends object>(strings: Own, overrides: StringOverrides | null): Own => {
  if (!overrides) return strings;
  const entries = Object.entries(strings).map(([key, value]) => {
    const own: unknown = overrides[key as keyof StringOverrides];
    if (own == null || Array.isArray(value) !== Array.isArray(own)) return [key, value];
    if (isTable(value)) return [key, { ...own, ...overrideStrings(value, own) }];
    return [key, typeof value !== 'string' && typeof own === 'string' ? () => own : own];
  });
  return Object.fromEntries(entries) as Own;
};

/** Returns the text in the widget's language, or else in the other one. */
export const textIn = (text: LocalizedText | undefined, language: Language): string => {
  if (typeof text !== 'object') return text ?? '';
  return text[language] ?? text.en ?? text.ar ?? '';
};
