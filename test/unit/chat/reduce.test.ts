import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { ChatEvent } from '../../../src/chat/state/chat-event.ts';
import { reduce } from '../../../src/chat/state/reduce.ts';
import { initialState, isBusy, type ConversationState } from '../../../src/chat/state/state.ts';
import { response } from '../../support/fakes/fake-service.ts';

const key = fc.constantFrom('a', 'b', 'c', 'd');
const at = fc.constant(1);
const text = fc.constantFrom('', 'one', 'two');
const run = fc.record({
  callId: fc.constantFrom('call_1', 'call_2'),
  name: fc.constant('look_up'),
  phase: fc.constantFrom('asked', 'running', 'answered', 'failed', 'refused'),
} as const);
const message = fc.record({ id: fc.constantFrom('', 'm1', 'm2'), role: fc.constant('assistant'), content: text });
const delivery = fc.constantFrom('unsent', 'sending', 'unconfirmed', 'confirmed');
const visitor = fc.record({ key, text, delivery }).map((fields) => ({ role: 'user', at: 1, ...fields }) as const);

/** Any event. Each event that creates a message uses a new key. */
const event = fc.oneof(
  fc.uniqueArray(visitor, { selector: (known) => known.key, maxLength: 3 }).map((messages) => () => {
    const conversation = { messages, conversationId: 'cnv_1', state: 'ai_active', unread: 0, submitted: {} };
    return { type: 'restored' as const, conversation, draft: '', formDrafts: {} };
  }),
  fc
    .constantFrom(
      'locked',
      'storage-failed',
      'suspended',
      'expired',
      'turn-posted',
      'turn-stopped',
      'turn-withdrawn',
      'unread-counted',
      'read',
    )
    .map((type) => () => ({ type })),
  fc.constant(() => ({ type: 'unlocked', held: null })),
  fc.constantFrom('nothing', 'turn', 'newcomer').map((kept) => () => ({ type: 'cleared', kept })),
  visitor.map((queued) => (fresh: string) => ({
    type: 'message-queued',
    message: { ...queued, key: fresh, delivery: 'unsent' },
  })),
  text.map((draft) => () => ({ type: 'draft-changed', draft })),
  visitor.map((sent) => () => ({ type: 'turn-sent', message: { ...sent, delivery: 'unsent' } })),
  fc
    .constantFrom('rate_limited', 'unavailable', 'offline', 'other_tab', 'previous', 'retrying')
    .map((reason) => () => ({ type: 'turn-delayed', reason, until: null })),
  fc.boolean().map((isOtherTabBusy) => () => ({ type: 'other-tab-changed', isOtherTabBusy })),
  text.map((filename) => () => ({ type: 'sources-found', sources: [{ file_id: 'f', filename }] })),
  text.map((label) => () => ({
    type: 'blocks-added',
    blocks: [{ type: 'options', options: [{ label }] }],
  })),
  fc.tuple(key, text).map(([form, value]) => () => ({
    type: 'form-drafted',
    key: `${form}/0`,
    draft: { name: value },
  })),
  fc.tuple(key, text).map(([block, sent]) => () => ({ type: 'block-submitted', key: `${block}/0`, text: sent })),
  at.map((time) => (fresh: string) => ({ type: 'reply-started', key: fresh, at: time })),
  text.map((added) => () => ({ type: 'text-added', text: added })),
  run.map((changed) => () => ({ type: 'tool-changed', run: changed })),
  fc.constant(() => ({ type: 'conversation-known' as const, conversationId: 'cnv_1' })),
  fc.option(message).map((said) => (fresh: string) => ({
    type: 'reply-ended',
    // The service never gives an id twice.
    response: response({ message: said && { ...said, id: said.id && fresh } }),
    key: fresh,
    at: 1,
  })),
  delivery.map((known) => () => ({
    type: 'turn-failed',
    problem: { code: 'network', status: 0, requestId: '', detail: '' },
    delivery: known,
  })),
  key.map((edited) => () => ({ type: 'message-edited', key: edited })),
  fc
    .constantFrom('restarted', 'unlinked')
    .map((code) => (fresh: string) => ({ type: 'notice-added', code, key: fresh, at: 1 })),
  fc
    .constantFrom('ai_active', 'handoff_requested', 'human_active', 'closed', 'odd')
    .map((state) => (fresh: string) => ({ type: 'state-changed', state, key: fresh, at: 1 })),
  message.map((said) => (fresh: string) => ({ type: 'message-received', message: said, key: fresh, at: 1 })),
);

/** Asserts the invariants of every state. */
const expectValid = (state: ConversationState) => {
  const { messages, turn, unread } = state;
  const keys = messages.map((known) => known.key);
  assert.equal(new Set(keys).size, keys.length, 'each key occurs once');
  const ids = messages.flatMap((known) => (known.role === 'assistant' && known.id ? [known.id] : []));
  assert.equal(new Set(ids).size, ids.length, 'each id of the service occurs once');
  assert.ok(unread >= 0);
  if (isBusy(state) && turn.status !== 'idle') {
    const current = messages.find((known) => known.key === turn.messageKey);
    assert.ok(current?.role === 'user', 'a turn in progress has its message');
    if (turn.status === 'streaming' || turn.status === 'calling') {
      assert.ok(!keys.includes(turn.reply.key), 'a live reply is not among the messages');
      const isCalling = turn.reply.tools.some(({ phase }) => phase === 'asked' || phase === 'running');
      assert.equal(turn.status === 'calling', isCalling);
    }
  }
};

describe('The reducer', () => {
  it('returns a valid state after any sequence of events, and never modifies a state', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (events) => {
        let state = initialState;
        for (const [index, make] of events.entries()) {
          const before = JSON.stringify(state);
          const given = make(`fresh-${index}`) as ChatEvent;
          // The conversation never edits the message of a turn in progress.
          if (given.type === 'message-edited' && isBusy(state)) continue;
          const next = reduce(state, given);
          assert.equal(JSON.stringify(state), before);
          state = next;
          expectValid(state);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
