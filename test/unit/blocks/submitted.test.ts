import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ChatEvent } from '../../../src/chat/state/chat-event.ts';
import { reduce } from '../../../src/chat/state/reduce.ts';
import { initialState, type VisitorMessage } from '../../../src/chat/state/state.ts';

const message = (text: string): VisitorMessage => ({ role: 'user', key: 'v', text, at: 0, delivery: 'unsent' });

const after = (...events: ChatEvent[]) => events.reduce(reduce, { ...initialState, status: 'ready' as const });

const answered: ChatEvent[] = [
  { type: 'form-drafted', key: 'a/0', draft: { name: 'Salim' } },
  { type: 'block-submitted', key: 'b/0', text: 'Yes' },
  { type: 'block-submitted', key: 'a/0', text: 'Name: Salim' },
  { type: 'turn-sent', message: message('Name: Salim') },
];

describe('The submission of a block', () => {
  it('is stored by block', () => {
    assert.deepEqual(after(...answered).submitted, { 'b/0': 'Yes', 'a/0': 'Name: Salim' });
  });

  it('can be repeated after its message was withdrawn, or moved back into the composer', () => {
    const delayed: ChatEvent = { type: 'turn-delayed', reason: 'rate_limited', until: null };
    for (const undo of [
      [delayed, { type: 'turn-withdrawn' }],
      [{ type: 'message-edited', key: 'v' }],
    ] satisfies ChatEvent[][]) {
      const state = after(...answered, ...undo);
      assert.deepEqual(state.submitted, { 'b/0': 'Yes' });
      assert.deepEqual(state.formDrafts, { 'a/0': { name: 'Salim' } }, 'and what was filled in is there again');
    }
  });

  it('stays when another message is moved back into the composer', () => {
    const state = after(...answered, { type: 'message-edited', key: 'nobody' });
    assert.equal(Object.keys(state.submitted).length, 2);
  });

  it('is removed with the conversation', () => {
    const state = after(...answered.slice(0, 3), { type: 'cleared', kept: 'nothing' });
    assert.deepEqual([state.submitted, state.formDrafts], [{}, {}]);
  });
});
