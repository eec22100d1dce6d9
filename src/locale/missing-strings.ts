/** Finds the strings that a registered language lacks. */
import type { CountedText } from './counted-text.ts';
import type { LocaleDefinition } from './locale-definition.ts';
import type { Strings } from './strings.ts';

/** The keys of all strings, and those of the tables among them. The doctor does not load the strings for them. */
type StringKeys = {
  [Key in keyof Strings]: Strings[Key] extends object
    ? Strings[Key] extends readonly unknown[] | CountedText<never> | ((...args: never[]) => string)
      ? true
      : Record<keyof Strings[Key], true>
    : true;
};

const stringKeys: StringKeys = {
  openChat: true,
  closeChat: true,
  unread: true,
  chunkFailed: true,
  heading: true,
  greeting: true,
  starters: true,
  notice: true,
  privacyLabel: true,
  privacyUrl: true,
  status: {
    ai_active: true,
    handoff_requested: true,
    human_active: true,
    closed: true,
  },
  menu: true,
  transcript: true,
  newMessages: true,
  message: true,
  placeholder: true,
  send: true,
  stop: true,
  you: true,
  assistant: true,
  person: true,
  thinking: true,
  sources: true,
  chosen: true,
  choose: true,
  sent: true,
  select: true,
  optional: true,
  fieldProblems: {
    required: true,
    email: true,
    phone: true,
    number: true,
    date: true,
  },
  noSecrets: true,
  availability: {
    in_stock: true,
    out_of_stock: true,
    preorder: true,
  },
  updated: true,
  details: true,
  moreTimes: true,
  twoTimes: true,
  code: {
    copy: true,
    copied: true,
    code: true,
  },
  notConfirmed: true,
  notSent: true,
  interrupted: true,
  notices: {
    restarted: true,
    handoff: true,
    joined: true,
    returned: true,
    closed: true,
    unlinked: true,
  },
  tooLong: true,
  sendAgain: true,
  edit: true,
  askAgain: true,
  startAgain: true,
  stopped: true,
  offline: true,
  feedback: { up: true, down: true, comment: true },
  replying: true,
  conversationErased: true,
  refused: true,
  limit: true,
  degraded: true,
  replyingInOtherTab: true,
  stillWorking: true,
  memoryOnly: true,
  waiting: {
    rate_limited: true,
    unavailable: true,
    offline: true,
    other_tab: true,
    previous: true,
    retrying: true,
  },
  problems: {
    network: true,
    unexpected_response: true,
    interrupted: true,
    timeout: true,
    response_too_large: true,
    not_authorised: true,
    agent_unavailable: true,
    not_found: true,
    message_refused: true,
    too_large: true,
    rate_limited: true,
    unavailable: true,
    identity_rejected: true,
    internal_error: true,
    unknown: true,
  },
  tools: {
    asked: true,
    running: true,
    answered: true,
    failed: true,
    refused: true,
  },
  toolQuestion: true,
  untitledTool: true,
  allow: true,
  refuse: true,
  newConversation: true,
  download: true,
  sound: true,
  expand: true,
  reduce: true,
  dismiss: true,
  dictate: true,
  readAloud: true,
};

/** Returns the keys of the strings that are shown in English, those of tables as `table.key`. */
export const missingStrings = ({ strings }: LocaleDefinition): string[] => {
  const own: Record<string, unknown> = { ...strings };
  return Object.entries(stringKeys).flatMap(([key, keysOfTable]) => {
    if (own[key] === undefined) return [key];
    if (keysOfTable === true) return [];
    const table = Object(own[key]) as Record<string, unknown>;
    return Object.keys(keysOfTable)
      .filter((name) => table[name] === undefined)
      .map((name) => `${key}.${name}`);
  });
};
