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
const cleared: ChatEvent = { type: 'cleared', conversationId: null, kept: 'nothing' };
const started: ChatEvent = { type: 'reply-started', key: 'r', at: 2 };
const text = (added: string): ChatEvent => ({ type: 'text-added', text: added });

const after = (...events: ChatEvent[]): ConversationState => events.reduce(reduce, initialState);

const deliveryOf = ({ messages }: ConversationState) =>
  messages.flatMap((message) => (message.role === 'user' ? message.delivery : []));
const codesOf = ({ messages }: ConversationState) =>
  messages.flatMap((message) => (message.role === 'notice' ? message.code : []));
const repliesOf = ({ messages }: ConversationState) =>
  messages.flatMap((message) => (message.role === 'assistant' ? [message] : []));
const liveOf = ({ turn }: ConversationState) => {
  assert.ok(turn.status === 'streaming' || turn.status === 'calling');
  return turn.reply;
};

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

  it('restored replaces the transcript and the draft, and adds the drafts of forms', () => {
    const conversation = { messages: [question], conversationId: 'c', state: 'ai_active', unread: 2, submitted: {} };
    const state = reduce(after({ type: 'draft-changed', draft: 'new' }), {
      type: 'restored',
      conversation,
      draft: 'old',
      formDrafts: { 'r/0': { name: 'S' } },
    });
    assert.equal(state.status, 'ready');
    assert.deepEqual(state.messages, [question]);
    assert.equal(state.unread, 2);
    assert.equal(state.draft, 'old');
    assert.deepEqual(state.formDrafts, { 'r/0': { name: 'S' } });
  });

  it('locked puts the conversation away, but not what is typed while the record is being read', () => {
    const typed: ChatEvent = { type: 'draft-changed', draft: 'x' };
    assert.deepEqual(after(typed, { type: 'locked' }).draft, 'x');
    const locked = after(unlocked, sent, typed, { type: 'locked' });
    assert.deepEqual(locked, { ...initialState, status: 'locked' });
  });

  it('unlocked shows the conversation together with what was typed while it was locked', () => {
    const held = after(unlocked, sent, { type: 'turn-withdrawn' });
    assert.equal(held.draft, 'Hi');
    const locked = reduce(reduce(held, { type: 'locked' }), { type: 'draft-changed', draft: 'More' });
    const state = reduce(locked, { type: 'unlocked', held });
    assert.equal(state.status, 'ready');
    assert.equal(state.draft, 'Hi\n\nMore');
  });

  it('suspended hides the transcript of a page that was left, and keeps it', () => {
    const state = after(unlocked, sent, { type: 'suspended' });
    assert.equal(state.status, 'suspended');
    assert.deepEqual(state.messages, [question]);
  });

  it('storage-failed marks the conversation as kept in memory', () =>
    assert.equal(after({ type: 'storage-failed' }).isMemoryOnly, true));

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
      { type: 'locked' },
      { type: 'draft-changed', draft: 'x' },
      {
        ...cleared,
        kept: 'newcomer',
      },
    );
    assert.deepEqual(state, { ...initialState, status: 'ready', draft: 'x' });
  });

  it('expired drops what was delivered, and keeps undelivered messages and the draft', () => {
    const delivered: VisitorMessage = { ...question, key: 'd', delivery: 'confirmed' };
    const conversation = {
      messages: [delivered, question],
      conversationId: 'c',
      state: 'closed',
      unread: 1,
      submitted: {},
    };
    const state = after({ type: 'restored', conversation, draft: 'x', formDrafts: {} }, { type: 'expired' });
    assert.deepEqual(state.messages, [question]);
    assert.deepEqual([state.draft, state.conversationId, state.state, state.unread], ['x', null, 'ai_active', 0]);
  });

  it('message-queued puts a message behind the turn, and turn-sent takes it out of the queue', () => {
    const next: VisitorMessage = { ...question, key: 'n', text: 'Next' };
    const state = after(sent, { type: 'message-queued', message: next });
    assert.deepEqual([state.messages, state.queued], [[question], [next]]);
    const later = reduce(reduce(state, { type: 'turn-stopped' }), { type: 'turn-sent', message: next });
    assert.deepEqual([later.messages.at(-1), later.queued], [next, []]);
  });

  it('draft-changed replaces the draft', () => assert.equal(after({ type: 'draft-changed', draft: 'x' }).draft, 'x'));

  it('turn-sent appends the message and starts the turn', () => {
    const state = after(sent);
    assert.deepEqual(state.messages, [question]);
    assert.deepEqual(state.turn, { status: 'sending', messageKey: 'q' });
  });

  it('turn-delayed makes the turn wait with an unsent message', () => {
    const state = after(sent, { type: 'turn-posted' }, { type: 'turn-delayed', reason: 'rate_limited', until: 9 });
    assert.deepEqual(state.turn, { status: 'waiting', messageKey: 'q', reason: 'rate_limited', until: 9 });
    assert.deepEqual(deliveryOf(state), ['unsent']);
  });

  it('turn-posted marks the message as being sent', () => {
    const state = after(sent, { type: 'turn-delayed', reason: 'offline', until: null }, { type: 'turn-posted' });
    assert.equal(state.turn.status, 'sending');
    assert.deepEqual(deliveryOf(state), ['sending']);
  });

  it('reply-started confirms the message and starts an empty reply', () => {
    const state = after(sent, started);
    assert.deepEqual(deliveryOf(state), ['confirmed']);
    assert.deepEqual(liveOf(state), { key: 'r', at: 2, text: '', sources: [], blocks: [], tools: [] });
  });

  it('text-added appends to the reply', () =>
    assert.equal(liveOf(after(sent, started, text('a'), text('b'))).text, 'ab'));

  it('sources-found sets the sources of the reply', () => {
    const sources = [{ file_id: 'f', filename: 'Hours' }];
    assert.deepEqual(liveOf(after(sent, started, { type: 'sources-found', sources })).sources, sources);
  });

  it('blocks-added appends blocks to the reply', () => {
    const block = (url: string) => ({ type: 'links' as const, links: [{ label: url, url }] });
    const add = (url: string): ChatEvent => ({ type: 'blocks-added', blocks: [block(url)] });
    assert.deepEqual(liveOf(after(sent, started, add('a'), add('b'))).blocks, [block('a'), block('b')]);
  });

  it('tool-changed replaces the run of its call and sets the status of the turn', () => {
    const run = { callId: 'c', name: 'look_up', phase: 'running' as const };
    const running = after(sent, started, { type: 'tool-changed', run });
    assert.equal(running.turn.status, 'calling');
    const ended = reduce(running, { type: 'tool-changed', run: { ...run, phase: 'answered' } });
    assert.equal(ended.turn.status, 'streaming');
    assert.deepEqual(liveOf(ended).tools, [{ ...run, phase: 'answered' }]);
  });

  it('conversation-known sets the id of the conversation', () =>
    assert.equal(after({ type: 'conversation-known', conversationId: 'c' }).conversationId, 'c'));

  it('reply-ended replaces the live reply with the message of the response', () => {
    const state = after(sent, started, text('Hel'), { type: 'reply-ended', response: response(), key: 'x', at: 3 });
    const [reply] = repliesOf(state);
    assert.deepEqual([reply!.key, reply!.id, reply!.text, reply!.ending], ['r', 'msg_1', 'Hello there', 'whole']);
    assert.equal(state.turn.status, 'idle');
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

  it('turn-stopped keeps the text of the reply and marks it as stopped', () => {
    const state = after(sent, started, text('Hel'), { type: 'turn-stopped' });
    assert.deepEqual(
      repliesOf(state).map(({ text: shown, ending }) => [shown, ending]),
      [['Hel', 'stopped']],
    );
    assert.equal(state.turn.status, 'idle');
  });

  it('turn-stopped leaves a posted message unconfirmed', () =>
    assert.deepEqual(deliveryOf(after(sent, { type: 'turn-posted' }, { type: 'turn-stopped' })), ['unconfirmed']));

  it('turn-failed keeps the text of the reply, the problem and the delivery', () => {
    const state = after(sent, started, text('Hel'), { type: 'turn-failed', problem, delivery: 'confirmed' });
    assert.deepEqual(
      repliesOf(state).map(({ ending }) => ending),
      ['interrupted'],
    );
    assert.deepEqual(state.turn, { status: 'failed', messageKey: 'q', problem });
    assert.deepEqual(deliveryOf(state), ['confirmed']);
  });

  it('turn-withdrawn moves the text back into the composer', () => {
    const state = after(sent, { type: 'turn-withdrawn' });
    assert.deepEqual(state.messages, []);
    assert.equal(state.draft, 'Hi');
    assert.equal(state.turn.status, 'idle');
  });

  it('turn-withdrawn keeps the message in the transcript while something else is typed', () => {
    const state = after(sent, { type: 'draft-changed', draft: 'x' }, { type: 'turn-withdrawn' });
    assert.deepEqual(deliveryOf(state), ['unsent']);
    assert.equal(state.draft, 'x');
  });

  it('message-edited moves a message and its failure into the composer, behind the text that is typed there', () => {
    const failed = after(
      sent,
      { type: 'turn-failed', problem, delivery: 'unsent' },
      { type: 'draft-changed', draft: 'x' },
    );
    const state = reduce(failed, { type: 'message-edited', key: 'q' });
    assert.deepEqual(state.messages, []);
    assert.equal(state.draft, 'x\n\nHi');
    assert.equal(state.turn.status, 'idle');
  });

  it('turn-failed leaves a message unconfirmed whose earlier copy may have arrived', () => {
    const unconfirmed = after(sent, { type: 'turn-failed', problem, delivery: 'unconfirmed' });
    const again: VisitorMessage = { ...question, isDoubtful: true };
    const events: ChatEvent[] = [
      { type: 'turn-sent', message: again },
      { type: 'turn-failed', problem, delivery: 'unsent' },
    ];
    assert.deepEqual(deliveryOf(events.reduce(reduce, unconfirmed)), ['unconfirmed']);
  });

  it('notice-added puts “restarted” before the message that starts the new conversation', () => {
    const state = after({ type: 'conversation-known', conversationId: 'c' }, sent, {
      type: 'notice-added',
      code: 'restarted',
      key: 'n',
      at: 3,
    });
    assert.deepEqual(
      state.messages.map(({ key }) => key),
      ['n', 'q'],
    );
    assert.equal(state.conversationId, null);
  });

  it('state-changed adds the notice of the transition', () => {
    const state = after({ type: 'state-changed', state: 'human_active', key: 'n', at: 3 });
    assert.equal(state.state, 'human_active');
    assert.deepEqual(codesOf(state), ['joined']);
  });

  it('message-received appends a team message once', () => {
    const message = { id: 'm', role: 'assistant', content: 'Hello', actor_type: 'owner' };
    const event: ChatEvent = { type: 'message-received', message, key: 'k', at: 3 };
    const state = reduce(after(event), { ...event, key: 'k2' });
    assert.deepEqual(
      repliesOf(state).map(({ key, actor }) => [key, actor]),
      [['k', 'owner']],
    );
  });

  it('other-tab-changed records whether another tab is busy', () =>
    assert.equal(after({ type: 'other-tab-changed', isOtherTabBusy: true }).isOtherTabBusy, true));

  it('unread-counted adds one unread message', () =>
    assert.equal(after({ type: 'unread-counted' }, { type: 'unread-counted' }).unread, 2));

  it('read resets the number of unread messages', () =>
    assert.equal(after({ type: 'unread-counted' }, { type: 'read' }).unread, 0));

  it('form-drafted stores the draft of a form by its key', () =>
    assert.deepEqual(after({ type: 'form-drafted', key: 'r/0', draft: { name: 'S' } }).formDrafts, {
      'r/0': { name: 'S' },
    }));

  it('block-submitted stores the submitted text by the key of the block', () =>
    assert.deepEqual(after({ type: 'block-submitted', key: 'r/0', text: 'Blue' }).submitted, { 'r/0': 'Blue' }));
});
