/** Every sentence of the widget, as a type: a language that lacks one does not compile. */
import type { Availability, ConversationStateName } from '../../contract/wire.ts';
import type { LauncherStrings } from './launcher-strings.ts';
import type { NoticeMessage, ToolPhase, WaitReason } from '../chat/state/state.ts';

/** The problems that have a sentence of their own; any other is told by the service's sentence, or by `unknown`. */
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

export interface Strings extends LauncherStrings {
  heading: string;
  greeting: string;
  starters: readonly string[];
  /** Under the composer; empty for none. */
  notice: string;
  /** A link under the composer; shown when both are set. */
  privacyLabel: string;
  privacyUrl: string;

  status: Record<ConversationStateName, string>;
  menu: string;
  newConversation: string;
  download: string;
  transcript: string;
  newMessages: string;
  sound: string;

  message: string;
  placeholder: string;
  send: string;
  stop: string;
  /** How many characters the message has too many. */
  tooLong: (excess: string) => string;

  you: string;
  assistant: string;
  person: string;
  thinking: string;
  sources: string;

  /** Says to screen readers which of the offered things was taken. */
  chosen: string;
  choose: string;
  /** Under a form, once it was. */
  sent: string;
  /** The first entry of a list of choices. */
  select: string;
  /** After the label of a field that may stay empty. */
  optional: string;
  fieldProblems: Record<'required' | 'email' | 'phone' | 'number' | 'date', string>;
  /** Why fields of a form were left out; given their labels. */
  noSecrets: (labels: string) => string;
  availability: Record<Availability, string>;
  /** Given a time such as "two hours ago". */
  updated: (when: string) => string;
  details: string;
  moreTimes: string;
  /** Each time stands there twice: as the visitor's clock has it, then by the place's time, whose name is given. */
  twoTimes: (zone: string) => string;

  /** A block of code: its copy button, and its accessible name given its language or ''. */
  code: { copy: string; copied: string; code: (language: string) => string };

  notConfirmed: string;
  notSent: string;
  sendAgain: string;
  edit: string;
  retry: string;
  stopped: string;
  interrupted: string;
  askAgain: string;
  refused: string;
  limit: string;
  degraded: string;

  replyingInOtherTab: string;
  memoryOnly: string;
  /** `seconds` is formatted for the language; empty when nobody can say. */
  waiting: Record<WaitReason, (seconds: string) => string>;
  notices: Record<NoticeMessage['code'], string>;
  problems: Record<ProblemCode, string>;
  tools: Record<ToolPhase, (name: string) => string>;
  toolQuestion: (name: string) => string;
  allow: string;
  refuse: string;
}

/** What a page may override: any sentence, in the tables too. */
export type StringOverrides = {
  [Key in keyof Strings]?: Strings[Key] extends Record<string, unknown> ? Partial<Strings[Key]> : Strings[Key];
};

/** The sentences of a language with the page's own in their place. */
export const overrideStrings = (strings: Strings, overrides: StringOverrides | undefined): Strings => {
  if (!overrides) return strings;
  const entries = Object.entries(strings).map(([key, value]) => {
    const own = overrides[key as keyof Strings];
    if (own === undefined) return [key, value];
    const isTable = typeof value === 'object' && !Array.isArray(value);
    return [key, isTable ? { ...value, ...(own as object) } : own];
  });
  return Object.fromEntries(entries) as Strings;
};
