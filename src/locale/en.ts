/** The English strings. */
import { launcherStrings } from './launcher-strings.ts';
import type { PanelStrings } from './strings.ts';

export const strings: PanelStrings = {
  ...launcherStrings.en,

  heading: 'Chat with us',
  greeting: 'Hello! How can we help you today?',
  starters: [],
  notice: 'AI replies can be wrong.',
  privacyLabel: 'Privacy',
  privacyUrl: '',

  status: {
    ai_active: 'Assistant',
    handoff_requested: 'We’ve asked a teammate to join',
    human_active: 'A teammate is replying',
    closed: 'Conversation ended',
  },
  menu: 'Menu',
  transcript: 'Conversation',
  newMessages: 'New messages',

  message: 'Message',
  placeholder: 'Write a message…',
  send: 'Send',
  stop: 'Stop',

  you: 'You',
  assistant: 'Assistant',
  person: 'Team',
  thinking: 'Thinking…',
  sources: 'Sources',

  chosen: 'Chosen:',
  choose: 'Choose',
  sent: 'Sent',
  select: 'Choose…',
  optional: '(optional)',
  fieldProblems: {
    required: 'Please fill in this field.',
    email: 'Please enter an e-mail address, such as name@example.com.',
    phone: 'Please enter a phone number, such as +968 9212 3456.',
    number: 'Please enter a number.',
    date: 'Please enter a complete date.',
  },
  noSecrets: (labels) => `Left out: ${labels}. Never share passwords or card details in a chat.`,
  availability: { in_stock: 'In stock', out_of_stock: 'Out of stock', preorder: 'Available for pre-order' },
  updated: (when) => `Updated ${when}`,
  details: 'Details',
  moreTimes: 'More times',
  twoTimes: (zone) => `Your time first, then ${zone}.`,

  code: { copy: 'Copy', copied: 'Copied', code: (language) => (language ? `Code, ${language}` : 'Code') },

  notConfirmed: 'Not confirmed',
  notSent: 'Not sent',
  interrupted: 'The reply was interrupted.',
};
