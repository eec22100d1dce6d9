import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { ChatEvent } from '../../../src/chat/state/chat-event.ts';
import { isUndelivered } from '../../../src/chat/state/messages.ts';
import { reduce } from '../../../src/chat/state/reduce.ts';
import { initialState, isBusy, type ConversationState, type VisitorMessage } from '../../../src/chat/state/state.ts';
import { response } from '../../support/fakes/fake-service.ts';

/** The state of the model, and the conversation that is put aside while it is locked. */
interface World {
  state: ConversationState;
  held: ConversationState | null;
}

/** Returns the events of a step. `fresh` is a new key, and `pick` chooses one of several things. */
type Step = (world: World, fresh: string, pick: number) => ChatEvent[];

const visitorMessages = ({ messages, queued }: ConversationState) =>
  [...messages, ...queued].filter((message): message is VisitorMessage => message.role === 'user');

const deliveries = ['unsent', 'unconfirmed', 'confirmed', 'sending'] as const;
const reasons = ['rate_limited', 'unavailable', 'offline', 'other_tab', 'previous', 'retrying'] as const;
const problem = { code: 'network', status: 0, requestId: '', detail: '' };

/** What a visitor, a page and a service can do. Only `draft-changed` with other words, and nothing else, deletes a text. */
const steps: Record<string, Step> = {
  type: ({ state }, fresh) => [{ type: 'draft-changed', draft: `${state.draft} [${fresh}]`.trim() }],
  send({ state }, fresh) {
    const { draft } = state;
    if (!draft) return [];
    const message: VisitorMessage = { role: 'user', key: fresh, text: draft, at: 1, delivery: 'unsent' };
    const sent = isBusy(state) ? 'message-queued' : 'turn-sent';
    return [
      { type: sent, message },
      { type: 'draft-changed', draft: '' },
    ];
  },
  sendQueued: ({ state }) =>
    state.queued[0] && !isBusy(state) ? [{ type: 'turn-sent', message: state.queued[0] }] : [],
  sendAgain({ state }, _fresh, pick) {
    const open = visitorMessages(state).filter(isUndelivered);
    const message = open[pick % open.length];
    return message && !isBusy(state) ? [{ type: 'turn-sent', message: { ...message, delivery: 'unsent' } }] : [];
  },
  edit({ state }, _fresh, pick) {
    const known = visitorMessages(state);
    const message = known[pick % known.length];
    return message && !isBusy(state) ? [{ type: 'message-edited', key: message.key }] : [];
  },
  delay: (_world, _fresh, pick) => [
    { type: 'turn-delayed', reason: reasons[pick % reasons.length]!, until: pick % 2 ? null : 5 },
  ],
  post: () => [{ type: 'turn-posted' }],
  startReply: (_world, fresh) => [{ type: 'reply-started', key: fresh, at: 1 }],
  addText: () => [{ type: 'text-added', text: 'of the reply' }],
  runTool: (_world, _fresh, pick) => [
    { type: 'tool-changed', run: { callId: 'call_1', name: 'look_up', phase: pick % 2 ? 'running' : 'answered' } },
  ],
  endReply: (_world, fresh) => [{ type: 'reply-ended', response: response({}), key: fresh, at: 1 }],
  fail: (_world, _fresh, pick) => [{ type: 'turn-failed', problem, delivery: deliveries[pick % deliveries.length]! }],
  stop: () => [{ type: 'turn-stopped' }],
  withdraw: () => [{ type: 'turn-withdrawn' }],
  notice: (_world, fresh) => [{ type: 'notice-added', code: 'restarted', key: fresh, at: 1 }],
  handOver: (_world, fresh) => [{ type: 'state-changed', state: 'human_active', key: fresh, at: 1 }],
  receive: (_world, fresh) => [
    { type: 'message-received', message: { id: fresh, role: 'assistant', content: 'of the team' }, key: fresh, at: 1 },
  ],
  /** Another tab has stored the same conversation. The archive keeps the draft and what is not delivered. */
  restore({ state }) {
    const { conversationId, unread, submitted, draft } = state;
    const messages = state.messages.filter((message) => !state.queued.includes(message as VisitorMessage));
    const conversation = { messages, conversationId, state: 'ai_active', unread, submitted };
    return [{ type: 'restored', conversation, draft, formDrafts: {} }];
  },
  lock: ({ state, held }) => (held || state.status !== 'ready' ? [] : [{ type: 'locked', kept: 'nothing' }]),
  unlock: ({ held }) => (held ? [{ type: 'unlocked', held }] : []),
  suspend: () => [{ type: 'suspended' }],
  resume: ({ state, held }) => (state.status === 'suspended' && !held ? [{ type: 'unlocked', held: null }] : []),
  expire: () => [{ type: 'expired' }],
  failStorage: () => [{ type: 'storage-failed' }],
  submit: (_world, fresh) => [{ type: 'block-submitted', key: `${fresh}/0`, text: `[${fresh}]` }],
  draftForm: (_world, fresh) => [{ type: 'form-drafted', key: `${fresh}/0`, draft: { name: 'S' } }],
  changeTab: (_world, _fresh, pick) => [{ type: 'other-tab-changed', isOtherTabBusy: pick % 2 === 0 }],
  count: () => [{ type: 'unread-counted' }],
  read: () => [{ type: 'read' }],
  findSources: () => [{ type: 'sources-found', sources: [{ file_id: 'f', filename: 'a.pdf' }] }],
  addBlocks: () => [{ type: 'blocks-added', blocks: [{ type: 'options', options: [{ label: 'A' }] }] }],
  learnId: () => [{ type: 'conversation-known', conversationId: 'cnv_1' }],
};

/** Returns the words that a visitor has typed, and that are still shown, waiting or put aside. */
const wordsOf = ({ state, held }: World, isKept: (message: VisitorMessage) => boolean): string[] =>
  [state, ...(held ? [held] : [])].flatMap((each) =>
    [
      each.draft,
      ...visitorMessages(each)
        .filter(isKept)
        .map(({ text }) => text),
    ].flatMap((text) => text.match(/\[[^\]]+\]/g) ?? []),
  );

const apply = (world: World, event: ChatEvent): World => {
  const state = reduce(world.state, event);
  if (event.type === 'locked') return { state, held: world.state };
  return { state, held: event.type === 'unlocked' ? null : world.held };
};

describe('A text of the visitor', () => {
  it('is never lost, but for the delivered ones of a conversation that has expired', () => {
    const reached = new Set<string>();
    const step = fc.tuple(fc.constantFrom(...Object.keys(steps)), fc.nat(20));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (chosen) => {
        let world: World = { state: reduce(initialState, { type: 'unlocked', held: null }), held: null };
        for (const [index, [name, pick]] of chosen.entries()) {
          const events = steps[name]!(world, `text-${index}`, pick);
          for (const event of events) reached.add(event.type);
          const isExpiring = name === 'expire';
          const before = wordsOf(world, (message) => !isExpiring || isUndelivered(message));
          world = events.reduce(apply, world);
          const after = wordsOf(world, () => true);
          for (const word of before) assert.ok(after.includes(word), `${name} loses ${word}`);
          // A word is in one place, so that it cannot be sent twice.
          assert.equal(new Set(after).size, after.length, `${name} doubles a text`);
        }
      }),
      { numRuns: 3_000 },
    );
    // All types but `cleared`, which erases.
    assert.equal(reached.size, 30);
  });
});
