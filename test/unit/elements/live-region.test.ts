import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ChatEvent } from '../../../src/chat/state/chat-event.ts';
import { reduce } from '../../../src/chat/state/reduce.ts';
import { initialState, type ConversationState } from '../../../src/chat/state/state.ts';
import { Store } from '../../../src/chat/state/store.ts';
import { LiveRegionController } from '../../../src/elements/live-region.ts';
import { strings } from '../../../src/locale/en.ts';

type LiveRegionStore = ConstructorParameters<typeof LiveRegionController>[1];

/** Returns a live region that has announced the reply “Private”. */
const announced = () => {
  const store = new Store<ConversationState, ChatEvent>({ ...initialState, status: 'ready' }, reduce);
  let updates = 0;
  const host = {
    addController: () => {},
    removeController: () => {},
    requestUpdate: () => void updates++,
    updateComplete: Promise.resolve(true),
  };
  const conversation = { store, isVisible: true };
  const context = { chat: { conversation }, strings } as unknown as LiveRegionStore;
  const region = new LiveRegionController(host, context);
  region.hostConnected();
  const message = { id: 'msg_1', role: 'assistant', content: 'Private' };
  store.dispatch({ type: 'message-received', message, key: 'a', at: 1 });
  return { region, store, conversation, updates: () => updates };
};

it('announces a reply', () => {
  const { region, updates } = announced();
  assert.match(region.text, /Private/);
  assert.equal(updates(), 1);
});

const ends: ChatEvent[] = [
  { type: 'cleared', conversationId: null, kept: 'nothing' },
  { type: 'locked' },
  { type: 'suspended' },
];

for (const event of ends)
  it(`empties the live region when the conversation is ${event.type}, also while nobody sees it`, () => {
    const { region, store, conversation, updates } = announced();
    conversation.isVisible = false;
    store.dispatch(event);
    assert.equal(region.text, '');
    assert.equal(updates(), 2);
  });
