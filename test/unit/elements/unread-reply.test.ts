import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { initialState, type AgentMessage, type ConversationState } from '../../../src/chat/state/state.ts';
import { unreadReply } from '../../../src/workspace-chat/unread-reply.ts';

const reply = (key: string, text: string): AgentMessage => ({
  role: 'assistant',
  key,
  id: key,
  text,
  at: 0,
  actor: 'ai',
  ending: 'whole',
  sources: [],
  blocks: [],
  tools: [],
  outcome: null,
  refused: false,
  limit: null,
  degraded: false,
});

const state = (changes: Partial<ConversationState>): ConversationState => ({
  ...initialState,
  status: 'ready',
  unread: 1,
  messages: [reply('a', 'Old'), reply('b', 'We are **open**.')],
  ...changes,
});

describe('The unread reply that a teaser shows', () => {
  it('is the newest one, as plain text', () => {
    assert.deepEqual(unreadReply(state({})), { key: 'b', text: 'We are open.' });
  });

  it('is hidden while the visitor is not proven, the record is being read, or it may have been erased', () => {
    for (const status of ['locked', 'loading', 'suspended'] as const)
      assert.equal(unreadReply(state({ status })), null);
  });

  it('is missing when everything is read, there is no reply, or it has no text', () => {
    assert.equal(unreadReply(state({ unread: 0 })), null);
    assert.equal(unreadReply(state({ messages: [] })), null);
    assert.equal(unreadReply(state({ messages: [reply('a', '')] })), null);
  });
});
