/** English. */
import { launcherStrings } from './launcher.ts';
import type { Strings } from './strings.ts';

const readable = (name: string) => name.replaceAll('_', ' ');

export const strings: Strings = {
  ...launcherStrings.en,

  heading: 'Chat with us',
  greeting: 'Hello! How can we help you today?',
  starters: [],
  notice: 'Answers are written by an assistant and can be wrong.',
  privacyLabel: 'Privacy',
  privacyUrl: '',

  status: {
    ai_active: 'Assistant',
    handoff_requested: 'A person has been asked to join',
    human_active: 'A person is answering',
    closed: 'Conversation ended',
  },
  menu: 'Menu',
  newConversation: 'New conversation',
  download: 'Download this conversation',
  transcript: 'Conversation',
  newMessages: 'New messages',
  loading: 'Loading…',

  message: 'Message',
  placeholder: 'Write a message…',
  send: 'Send',
  stop: 'Stop',
  tooLong: (excess) => `The message is ${excess} characters too long. Shorten it, or send it in parts.`,

  you: 'You',
  assistant: 'Assistant',
  person: 'Team',
  thinking: 'Thinking…',
  sources: 'Sources',
  code: { copy: 'Copy', copied: 'Copied', code: (language) => (language ? `Code, ${language}` : 'Code') },

  notConfirmed: 'Not confirmed',
  notSent: 'Not sent',
  sendAgain: 'Send again',
  edit: 'Edit',
  stopped: 'Stopped',
  interrupted: 'The answer was interrupted.',
  askAgain: 'Ask again',
  refused: 'Outside what the assistant can help with',
  limit: 'The assistant has reached its limit of conversations for this month.',
  degraded: 'Written without access to everything the assistant usually uses.',

  answeringElsewhere: 'Answering in another tab…',
  memoryOnly: 'This browser keeps nothing: the conversation ends when you leave this page.',
  waiting: {
    rate_limited: (seconds) => `That was a lot at once. Your message goes out in ${seconds}.`,
    unavailable: (seconds) => `The service needs a moment. Trying again in ${seconds}.`,
    offline: () => 'You are offline. Your message goes out as soon as you are back.',
    elsewhere: () => 'Answering in another tab. Your message is next.',
    previous: () => 'Finishing the previous answer first…',
    retrying: (seconds) => `No answer yet. Trying again in ${seconds}.`,
  },
  notices: {
    restarted: 'The previous conversation was over. This is a new one.',
    handoff: 'A person has been asked to join. The assistant goes on answering until then.',
    joined: 'A person has joined the conversation.',
    returned: 'The assistant is answering again.',
    closed: 'This conversation has ended.',
    unlinked: 'The next message starts a new conversation.',
  },
  problems: {
    network: 'The connection failed, so it is not sure that your message arrived.',
    unexpected_answer: 'Something between you and us answered in our place. It is not sure that your message arrived.',
    interrupted: 'The connection broke before the answer was complete.',
    timeout: 'The answer took too long to come.',
    answer_too_large: 'The answer was too large to be shown.',
    not_authorised: 'The chat is not available on this page right now.',
    agent_unavailable: 'The assistant is paused at the moment. Your message is kept here.',
    not_found: 'The chat is not available on this page right now.',
    message_refused: 'The message could not be accepted. Change it and send it again.',
    too_large: 'The message is too long. Shorten it and send it again.',
    rate_limited: 'That was a lot at once. Send your message again in a few minutes.',
    unavailable: 'The service is not available right now. Send your message again in a few minutes.',
    identity_rejected: 'We could not confirm who you are. Sign in again, then send your message again.',
    internal_error: 'Something went wrong on our side. Your message was not taken.',
    unknown: 'Something went wrong. Your message was not taken.',
  },
  configuration: {
    base_url_missing: 'This chat is not set up yet: it has no “base-url”.',
    base_url_invalid: 'This chat is not set up correctly: its “base-url” is not an http(s) address.',
    key_missing: 'This chat is not set up yet: it has no “publishable-key”.',
    key_secret:
      'This chat has a secret key (svc_sk_…). A secret key must never be on a page: revoke it, and use the publishable key (svc_pk_…).',
    key_website: 'This chat has an agent’s website key (pk_…). Use a publishable key of the workspace (svc_pk_…).',
    key_unknown: 'This chat is not set up correctly: its “publishable-key” does not begin with svc_pk_.',
    agent_missing: 'This chat is not set up yet: it has no “agent-id”.',
  },
  tools: {
    asked: (name) => `Asks to use: ${readable(name)}`,
    running: (name) => `Using: ${readable(name)}…`,
    answered: (name) => `Used: ${readable(name)}`,
    failed: (name) => `Did not work: ${readable(name)}`,
    refused: (name) => `Not allowed: ${readable(name)}`,
  },
  toolQuestion: (name) => `May the assistant use “${readable(name)}” on this page?`,
  allow: 'Allow',
  refuse: 'Don’t allow',
};
