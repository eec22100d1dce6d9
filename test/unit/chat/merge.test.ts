import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { draftToStore } from '../../../src/chat/storage/drafts.ts';
import { appliesTo, isErased, mergeMessages, mergeRecord } from '../../../src/chat/storage/merge.ts';
import type { StoredRecord } from '../../../src/chat/storage/record.ts';
import type { AgentMessage, VisitorMessage } from '../../../src/chat/state/state.ts';

const message = (key: string): VisitorMessage => ({ role: 'user', key, text: key, at: 1, delivery: 'unsent' });
const names: readonly string[] = ['a', 'b', 'c', 'd', 'e'];
const keys = fc.uniqueArray(fc.constantFrom(...names));
const keysOf = (messages: readonly { key: string }[]) => messages.map(({ key }) => key).toSorted();

describe('A merge of two tabs', () => {
  it('keeps what either tab has added, and drops what either tab has removed', () => {
    fc.assert(
      fc.property(keys, keys, keys, (base, stored, own) => {
        const merged = mergeMessages(stored.map(message), own.map(message), base.map(message));
        const expected = names.filter((key) =>
          base.includes(key) ? stored.includes(key) && own.includes(key) : stored.includes(key) || own.includes(key),
        );
        assert.deepEqual(keysOf(merged), expected);
      }),
    );
  });

  it('finds a reply that the other tab has received under another key by its id', () => {
    const reply = (key: string, id: string, text: string, ending: 'whole' | 'interrupted') =>
      ({ role: 'assistant', key, id, text, ending }) as AgentMessage;
    const whole = reply('theirs', 'msg_1', 'Hello there', 'whole');
    const interrupted = reply('mine', 'msg_1', 'Hello', 'interrupted');
    assert.deepEqual(mergeMessages([whole], [interrupted]), [whole]);
    assert.deepEqual(mergeMessages([interrupted], [whole]), [whole]);
    // Without an id they are two replies.
    const [one, other] = [reply('theirs', '', 'Hello', 'interrupted'), reply('mine', '', 'Hello', 'interrupted')];
    assert.deepEqual(mergeMessages([one], [other]), [one, other]);
  });

  it('reads each message equally often, however many there are', () => {
    const readsPerMessage = (count: number) => {
      let reads = 0;
      const counted = (key: string): VisitorMessage =>
        Object.defineProperty(message(key), 'key', {
          get: () => {
            reads++;
            return key;
          },
        });
      const list = (name: string) => Array.from({ length: count }, (_, index) => counted(`${name}${index}`));
      const base = list('base');
      mergeMessages([...base, ...list('stored')], [...base, ...list('own')], base);
      return reads / count;
    };
    assert.equal(readsPerMessage(800), readsPerMessage(100));
  });
});

describe('A merge of what two tabs have submitted', () => {
  it('keeps what either tab has added, and drops what either tab has withdrawn', () => {
    const record = (submitted: string[]) =>
      ({
        submitted: Object.fromEntries(submitted.map((key) => [key, 'Yes'])),
        messages: [],
      }) as unknown as StoredRecord;
    fc.assert(
      fc.property(keys, keys, keys, (base, stored, own) => {
        const { submitted } = mergeRecord(record(stored), record(base), record(own));
        const expected = names.filter((key) =>
          base.includes(key) ? stored.includes(key) && own.includes(key) : stored.includes(key) || own.includes(key),
        );
        assert.deepEqual(Object.keys(submitted).toSorted(), expected);
      }),
    );
  });
});

describe('The draft of a record', () => {
  it('is replaced by a tab whose visitor has typed, and not by a tab that has only read it', () => {
    assert.equal(draftToStore('theirs', 'shared', 'mine', false), 'mine');
    assert.equal(draftToStore('theirs', 'shared', 'shared', false), 'theirs');
  });

  it('is stored again by a tab that is left, when no other tab has one', () => {
    assert.equal(draftToStore('', 'mine', 'mine', true), 'mine');
    assert.equal(draftToStore('theirs', 'mine', 'mine', true), 'theirs');
    assert.equal(draftToStore('', 'mine', 'mine', false), '');
  });

  it('of another tab stays when this tab has sent its own', () => {
    assert.equal(draftToStore('theirs', 'mine', '', false), 'theirs');
    assert.equal(draftToStore('mine', 'mine', '', false), '');
  });
});

describe('An epoch', () => {
  const first = { epoch: 'a', previous: null };
  const none = { epoch: null, previous: null };

  it('is erased when the stored one follows it, and not when two tabs have begun the same one', () => {
    assert.equal(isErased(first, { epoch: 'b', previous: 'a' }), true);
    assert.equal(isErased(first, first), false);
    assert.equal(isErased({ epoch: 'x', previous: 'a' }, { epoch: 'b', previous: 'a' }), false);
  });

  it('that a tab has not found yet is joined, unless it follows an erasure', () => {
    assert.equal(isErased(none, first), false);
    assert.equal(isErased(none, { epoch: 'b', previous: 'a' }), true);
  });

  it('is ended by one erasure only', () => {
    const erasure = { epoch: 'b', known: [first], erasedAt: 1 };
    assert.equal(appliesTo(erasure, first), true);
    assert.equal(appliesTo(erasure, { epoch: 'b', previous: 'a' }), false);
    assert.equal(appliesTo(erasure, { epoch: 'c', previous: 'a' }), false);
    assert.equal(appliesTo({ ...erasure, known: null }, { epoch: 'c', previous: 'x' }), true);
  });
});
