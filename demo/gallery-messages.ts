/** Builds the messages and the events of the gallery's conversations. */
import type { Block } from '../contract/wire.ts';
import type { ChatEvent } from '../src/chat/state/chat-event.ts';
import {
  formDraftKey,
  type AgentMessage,
  type ChatMessage,
  type Problem,
  type ToolRun,
  type VisitorMessage,
} from '../src/chat/state/state.ts';
import type { ViewState } from '../src/controllers/chat-context.ts';

/** Returns the text in the language of the conversation. */
export type Say = (en: string, ar: string) => string;

export interface Scene {
  id: string;
  title: string;
  /** The names of the languages, if they are other ones than English and Arabic. */
  captions?: { en: string; ar: string };
  /** Shows the whole panel instead of its messages. */
  isPanel?: boolean;
  /** Shows the launcher below the panel. */
  launcher?: 'icon' | 'label';
  /** The class of a theme in `brands.css`. */
  brand?: string;
  /** Submits the form once, so that its errors are shown. */
  isChecked?: boolean;
  /** The page that covers the conversation. */
  sheet?: 'mail' | 'history';
  /** What the page sets besides. */
  view?: (say: Say) => Partial<ViewState>;
  events: (say: Say) => ChatEvent[];
}

export const at = Date.parse('2026-03-04T10:24:00+04:00');

export const visitor = (text: string, delivery: VisitorMessage['delivery'] = 'confirmed'): VisitorMessage => ({
  role: 'user',
  key: text,
  text,
  at,
  delivery,
});

export const agent = (key: string, text: string, fields: Partial<AgentMessage> = {}): AgentMessage => ({
  role: 'assistant',
  key,
  id: key,
  text,
  at,
  actor: 'ai',
  ending: 'whole',
  sources: [],
  blocks: [],
  tools: [],
  outcome: 'answered',
  refused: false,
  limit: null,
  degraded: false,
  ...fields,
});

export const restored = (messages: ChatMessage[], submitted: Record<string, string> = {}): ChatEvent => ({
  type: 'restored',
  conversation: { messages, conversationId: 'cnv_gallery', state: 'ai_active', unread: 0, submitted },
  draft: '',
  formDrafts: {},
});

export const nothing: Record<string, string> = {};

/**
 * Creates a reply with blocks.
 * @param submitted The message that each block has sent.
 */
export const reply = (text: string, blocks: Block[], submitted: readonly string[] = []): ChatEvent[] => {
  const sent = submitted.map((each, index) => [formDraftKey('a', index), each]);
  return [restored([agent('a', text, { blocks })], sent.length > 0 ? Object.fromEntries(sent) : nothing)];
};

export const sent = (message: VisitorMessage): ChatEvent[] => [restored([]), { type: 'turn-sent', message }];

export const failed = (say: Say, code: string, delivery: VisitorMessage['delivery']): ChatEvent[] => {
  const problem: Problem = { code, status: 0, requestId: '', detail: '' };
  return [
    ...sent(visitor(say('Do you ship to Dubai?', 'هل تشحنون إلى دبي؟'))),
    { type: 'turn-failed', problem, delivery },
  ];
};

export const waiting = (say: Say, reason: 'rate_limited' | 'offline' | 'other_tab'): ChatEvent[] => [
  ...sent(visitor(say('Do you ship to Dubai?', 'هل تشحنون إلى دبي؟'))),
  { type: 'turn-delayed', reason, until: reason === 'rate_limited' ? performance.now() + 50_000 : null },
];

export const streaming = (say: Say): ChatEvent[] => [
  ...sent(visitor(say('When are you open?', 'متى تفتحون؟'))),
  { type: 'reply-started', key: 'a', at },
];

export const run = (phase: ToolRun['phase'], title: ToolRun['title']): ToolRun => ({
  callId: phase,
  name: 'look_up',
  title,
  phase,
});
