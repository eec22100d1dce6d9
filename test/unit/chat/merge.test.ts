import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { laterVersion, mergeMessages, mergeRecord } from '../../../src/chat/storage/merge.ts';
import type { StoredRecord } from '../../../src/chat/storage/record.ts';
import type { AgentMessage, Delivery, NoticeMessage, VisitorMessage } from '../../../src/chat/state/state.ts';

const message = (key: string): VisitorMessage => ({ role: 'user', key, text: key, at: 1, delivery: 'unsent' });
const names: readonly string[] = ['a', 'b', 'c', 'd', 'e'];
const keys = fc.uniqueArray(fc.constantFrom(...names));
const keysOf = (messages: readonly { key: string }[]) => messages.map(({ key }) => key).toSorted();

describe('A merge of two tabs', () => {
  it('keeps what either tab has added, and drops what either tab has removed', () => {
    fc.assert(
      fc.property(keys, keys, keys, (base, stored, own) => {
        const merged = mergeMessages(stored.map(message), own.map(message), base.map(message), 'tab');
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
    assert.deepEqual(mergeMessages([whole], [interrupted], [], 'tab'), [whole]);
    assert.deepEqual(mergeMessages([interrupted], [whole], [], 'tab'), [whole]);
    // Without an id they are two replies.
    const [one, other] = [reply('theirs', '', 'Hello', 'interrupted'), reply('mine', '', 'Hello', 'interrupted')];
    assert.deepEqual(mergeMessages([one], [other], [], 'tab'), [one, other]);
  });

  it('keeps the whole version of a reply, however long its text is, or else the longest one', () => {
    const version = fc.record({
      text: fc.string({ maxLength: 4 }),
      ending: fc.constantFrom('whole', 'stopped', 'interrupted'),
    });
    fc.assert(
      fc.property(version, version, (one, two) => {
        const [stored, own] = [one, two].map(
          (fields) => ({ role: 'assistant', key: 'a', id: 'msg_1', ...fields }) as AgentMessage,
        );
        const [merged] = mergeMessages([stored!], [own!], [], 'tab') as AgentMessage[];
        const versions = [one, two];
        const whole = versions.filter(({ ending }) => ending === 'whole');
        assert.equal(merged!.ending === 'whole', whole.length > 0);
        if (whole.length > 0) assert.ok(whole.some(({ text }) => text === merged!.text));
        else assert.equal(merged!.text.length, Math.max(...versions.map(({ text }) => text.length)));
      }),
    );
  });

  it('puts a message that was delivered since below the notice of the conversation that another tab has begun', () => {
    const begun: NoticeMessage = { role: 'notice', key: 'begun', at: 1, code: 'restarted' };
    const [waiting, theirs] = [{ ...message('a'), tab: 'tab' }, message('b')];
    const delivered: VisitorMessage = { ...waiting, delivery: 'confirmed' };
    const reply = message('reply');
    const merged = mergeMessages([waiting, begun, theirs], [begun, delivered, reply], [waiting], 'tab');
    assert.deepEqual(merged, [begun, theirs, delivered, reply]);
    // The message waits on, or was delivered in the conversation before.
    assert.deepEqual(mergeMessages([waiting, begun], [begun, waiting], [waiting], 'tab'), [waiting, begun]);
    assert.deepEqual(mergeMessages([delivered, begun], [begun, delivered], [waiting], 'tab'), [delivered, begun]);
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
      mergeMessages([...base, ...list('stored')], [...base, ...list('own')], base, 'tab');
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
        const { submitted } = mergeRecord(record(stored), record(base), record(own), 'tab');
        const expected = names.filter((key) =>
          base.includes(key) ? stored.includes(key) && own.includes(key) : stored.includes(key) || own.includes(key),
        );
        assert.deepEqual(Object.keys(submitted).toSorted(), expected);
      }),
    );
  });
});

describe('The versions of a message', () => {
  const deliveries: Delivery[] = ['unsent', 'sending', 'unconfirmed', 'confirmed'];
  const version = fc.record({ attempt: fc.nat(3), delivery: fc.constantFrom(...deliveries) }).map((fields) => ({
    ...message('a'),
    ...fields,
  }));
  const truth = ({ attempt, delivery }: VisitorMessage) => (delivery === 'confirmed' ? delivery : [attempt, delivery]);
  const later = (one: VisitorMessage, other: VisitorMessage) => truth(laterVersion(one, other));

  it('merge to the same one in any order, and however often they arrive', () => {
    fc.assert(
      fc.property(version, version, version, (one, two, three) => {
        assert.deepEqual(later(one, two), later(two, one));
        assert.deepEqual(later(one, one), truth(one));
        assert.deepEqual(later(laterVersion(one, two), three), later(one, laterVersion(two, three)));
      }),
    );
  });

  it('merge to a confirmed one, or else to the one of the later attempt', () => {
    fc.assert(
      fc.property(version, version, (one, two) => {
        const merged = laterVersion(one, two);
        const isConfirmed = [one, two].some(({ delivery }) => delivery === 'confirmed');
        assert.equal(merged.delivery === 'confirmed', isConfirmed);
        if (!isConfirmed) assert.equal(merged.attempt, Math.max(one.attempt, two.attempt));
      }),
    );
  });

  it('count only in the tab that runs the turn', () => {
    const stored: VisitorMessage = { ...message('a'), attempt: 1, delivery: 'sending', tab: 'one' };
    const own: VisitorMessage = { ...stored, delivery: 'unsent' };
    assert.deepEqual(mergeMessages([stored], [own], [stored], 'one'), [own]);
    assert.deepEqual(mergeMessages([stored], [own], [stored], 'two'), [stored]);
  });
});
