import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ChatEvent } from '../../../src/chat/state/chat-event.ts';
import { reduce } from '../../../src/chat/state/reduce.ts';
import { initialState, type ConversationState, type VisitorMessage } from '../../../src/chat/state/state.ts';
import { response } from '../../support/fakes/fake-service.ts';

const question: VisitorMessage = { role: 'user', key: 'q', text: 'Hi', at: 1, delivery: 'unsent' };
const problem = { code: 'network', status: 0, requestId: '', detail: '' };
const sent: ChatEvent = { type: 'turn-sent', message: question };
const unlocked: ChatEvent = { type: 'unlocked', held: null };
const cleared: ChatEvent = { type: 'cleared', kept: 'nothing' };
const started: ChatEvent = { type: 'reply-started', key: 'r', at: 2 };
const text = (added: string): ChatEvent => ({ type: 'text-added', text: added });

const after = (...events: ChatEvent[]): ConversationState => events.reduce(reduce, initialState);

const repliesOf = ({ messages }: ConversationState) =>
  messages.flatMap((message) => (message.role === 'assistant' ? [message] : []));

describe('The event', () => {
  it('state-changed puts its notice behind the reply of the turn, whether it arrives before, during or after the reply', () => {
    const handoff: ChatEvent = { type: 'state-changed', state: 'handoff_requested', key: 'n', at: 3 };
    const ended: ChatEvent = {
      type: 'reply-ended',
      response: response({ state: 'handoff_requested' }),
      key: 'r',
      at: 4,
    };
    const orders = [
      [sent, handoff, started, text('a'), ended],
      [sent, started, handoff, text('a'), ended],
      [sent, started, text('a'), ended, handoff],
      [sent, started, text('a'), handoff, { type: 'turn-stopped' } as const],
    ].map((events) => after(...events).messages.map(({ role }) => role));
    for (const order of orders) assert.deepEqual(order, ['user', 'assistant', 'notice']);
  });

  it('turn-failed leaves its reason at the message until it is sent again', () => {
    const failed = after(sent, { type: 'turn-failed', problem, delivery: 'unconfirmed' });
    const next: ChatEvent = { type: 'turn-sent', message: { ...question, key: 'q2' } };
    const reasonOf = ({ messages }: ConversationState) => (messages[0] as VisitorMessage).problem;
    assert.deepEqual(reasonOf(failed), problem);
    assert.deepEqual(reasonOf(reduce(failed, next)), problem);
    const again = [{ type: 'turn-sent', message: failed.messages[0] }, { type: 'turn-posted' }] as ChatEvent[];
    assert.equal(reasonOf(again.reduce(reduce, failed)), undefined);
  });

  it('cleared removes the conversation and the draft', () => {
    const state = after(unlocked, sent, { type: 'draft-changed', draft: 'x' }, cleared);
    assert.deepEqual(state, { ...initialState, status: 'ready' });
  });

  it('cleared keeps the message of the turn on request', () => {
    const state = after(unlocked, { type: 'conversation-known', conversationId: 'c' }, sent, {
      ...cleared,
      kept: 'turn',
    });
    assert.deepEqual(state.messages, [question]);
    assert.deepEqual(state.turn, { status: 'sending', messageKey: 'q' });
    assert.equal(state.conversationId, null);
  });

  it('cleared keeps what another visitor has typed while the conversation was locked', () => {
    const state = after(
      unlocked,
      sent,
      { type: 'locked', kept: 'nothing' },
      { type: 'draft-changed', draft: 'x' },
      {
        ...cleared,
        kept: 'newcomer',
      },
    );
    assert.deepEqual(state, { ...initialState, status: 'ready', draft: 'x' });
  });

  it('reply-ended shows a message once that the relay has already delivered', () => {
    const { message } = response();
    const state = after(
      sent,
      started,
      { type: 'message-received', message: message!, key: 'm', at: 2 },
      { type: 'reply-ended', response: response(), key: 'x', at: 3 },
    );
    assert.deepEqual(
      repliesOf(state).map(({ id }) => id),
      ['msg_1'],
    );
  });
});
