import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { draftsToSave } from '../../../src/chat/storage/drafts-to-save.ts';
import { initialState, type ConversationState, type VisitorMessage } from '../../../src/chat/state/state.ts';

const sent = (key: string): VisitorMessage => ({ role: 'user', key, text: `text ${key}`, at: 1, delivery: 'unsent' });

const stateWith = (changes: Partial<ConversationState>): ConversationState => ({
  ...initialState,
  status: 'ready',
  ...changes,
});

describe('What a tab saves of its drafts', () => {
  it('contains what was sent while the record of another visitor is locked, also when the page is only hidden', () => {
    const state = stateWith({ status: 'locked', messages: [sent('one')], queued: [sent('two')] });
    for (const stored of [null, []]) {
      const saved = draftsToSave(state, 'epoch', 'owner', stored);
      assert.deepEqual(saved?.unsaved, { one: 'text one', two: 'text two' });
      assert.equal(saved.owner, null);
    }
  });

  it('lacks what will still be written to the record, until the page is left', () => {
    const state = stateWith({ messages: [sent('one'), sent('two')], draft: 'draft' });
    assert.deepEqual(draftsToSave(state, 'epoch', 'owner', null)?.unsaved, {});
    assert.deepEqual(draftsToSave(state, 'epoch', 'owner', [sent('one')])?.unsaved, { two: 'text two' });
  });

  it('is nothing while the record is loading, and when nobody has typed while it is locked', () => {
    assert.equal(draftsToSave(stateWith({ status: 'loading', draft: 'draft' }), null, null, null), null);
    assert.equal(draftsToSave(stateWith({ status: 'locked' }), 'epoch', 'owner', []), null);
  });
});
