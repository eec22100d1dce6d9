import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { GuardedStorage } from '../../../src/chat/storage/storage.ts';
import { NativeStorage } from '../../../src/products/webview/native-storage.ts';
import { NativeTools } from '../../../src/products/webview/native-tools.ts';
import type { Outgoing, StorageRequest } from '../../../src/products/webview/protocol.ts';
import { FakeClock, settle } from '../../support/fakes/fake-clock.ts';

/** An app that stores records in memory. */
const keepingApp = () => {
  const kept = new Map<string, string>();
  const log: string[] = [];
  const storage: NativeStorage = new NativeStorage((request: StorageRequest) => {
    const { id, operation, key } = request;
    log.push(`${operation} ${key}`);
    if (request.operation === 'save') kept.set(key, request.value);
    if (operation === 'delete') kept.delete(key);
    queueMicrotask(() => storage.settle({ type: 'storage', id, value: kept.get(key) ?? null }));
  });
  return { kept, log, storage };
};

describe('The storage of the app', () => {
  it('returns what was stored, and undefined for an unknown key', async () => {
    const { storage } = keepingApp();
    assert.equal(await storage.load('one'), undefined);
    await storage.update('one', () => ({ text: 'سلام', list: [1] }));
    assert.deepEqual(await storage.load('one'), { text: 'سلام', list: [1] });
    await storage.update('one', () => undefined);
    assert.equal(await storage.load('one'), undefined);
  });

  it('changes one record at a time, however many changes are requested at once', async () => {
    const { storage } = keepingApp();
    const add = () => storage.update('count', (value) => ((value as number | undefined) ?? 0) + 1);
    await Promise.all(Array.from({ length: 10 }, add));
    assert.equal(await storage.load('count'), 10);
  });

  it('writes nothing when nothing has changed', async () => {
    const { storage, log } = keepingApp();
    await storage.update('one', (value) => value);
    assert.deepEqual(log, ['load one']);
  });

  it('lists the keys of its records, and deletes the list together with the last record', async () => {
    const { storage, kept } = keepingApp();
    await storage.update('old', () => ({ age: 2 }));
    await storage.update('new', () => ({ age: 1 }));
    assert.deepEqual(await storage.keys(), ['old', 'new']);
    for (const key of await storage.keys()) await storage.update(key, () => undefined);
    assert.equal(kept.size, 0);
  });

  it('ignores values that are not JSON', async () => {
    const { storage, kept } = keepingApp();
    kept.set('one', '{');
    assert.equal(await storage.load('one'), undefined);
  });

  it('rejects when the app reports an error, and continues with the next request', async () => {
    let isBroken = true;
    const storage: NativeStorage = new NativeStorage(({ id }) => {
      queueMicrotask(() =>
        storage.settle({ type: 'storage', id, ...(isBroken ? { error: 'locked' } : { value: '1' }) }),
      );
    });
    await assert.rejects(storage.load('one'), /locked/);
    isBroken = false;
    assert.equal(await storage.load('one'), 1);
  });

  it('ignores a second response to a request', async () => {
    const ids: string[] = [];
    const storage = new NativeStorage(({ id }) => void ids.push(id));
    const loaded = storage.load('one');
    await settle();
    assert.equal(storage.settle({ type: 'storage', id: ids[0]!, value: '2' }), true);
    assert.equal(storage.settle({ type: 'storage', id: ids[0]!, value: '3' }), false);
    assert.equal(await loaded, 2);
  });

  it('is not waited for when the app never responds', async () => {
    const clock = new FakeClock();
    const failures: unknown[] = [];
    const storage = new GuardedStorage(new NativeStorage(() => {}), clock, (error) => failures.push(error));
    const saved = storage.soon(
      storage.update('one', () => 'kept'),
      null,
    );
    await clock.advance(1_000);
    assert.equal(await saved, null);
    assert.equal(failures.length, 1);
  });
});

describe('A client tool of the app', () => {
  const start = () => {
    const posted: Outgoing[] = [];
    const tools = new NativeTools((message) => posted.push(message));
    const ended = new AbortController();
    const tool = tools.toClientTool({ name: 'look_up', confirm: 'May I?', timeoutMs: 50 });
    const run = () =>
      tool.run({ id: 7 }, { signal: ended.signal, callId: 'c1', conversationId: 'cnv_1' }) as Promise<unknown>;
    return { posted, tools, ended, tool, run };
  };

  it('is registered as the app describes it', () => {
    const { tool, tools } = start();
    assert.equal(tool.timeoutMs, 50);
    assert.equal((tool.confirm as (args: object) => string)({}), 'May I?');
    assert.equal(tools.toClientTool({ name: 'a', confirm: true }).confirm, true);
    assert.ok(!('confirm' in tools.toClientTool({ name: 'a', confirm: false })));
  });

  it('runs in the app, and returns its result once', async () => {
    const { posted, tools, run } = start();
    const result = run();
    assert.deepEqual(posted, [
      { type: 'tool', phase: 'run', callId: 'c1', name: 'look_up', arguments: { id: 7 }, conversationId: 'cnv_1' },
    ]);
    assert.equal(tools.settle({ type: 'toolResult', callId: 'other', ok: true }), false);
    assert.equal(tools.settle({ type: 'toolResult', callId: 'c1', ok: true, result: { found: true } }), true);
    assert.deepEqual(await result, { found: true });
    assert.equal(tools.settle({ type: 'toolResult', callId: 'c1', ok: true }), false);
  });

  it('fails with the error of the app', async () => {
    const { tools, run } = start();
    const result = run();
    tools.settle({ type: 'toolResult', callId: 'c1', ok: false, error: 'not signed in' });
    await assert.rejects(result, /not signed in/);
  });

  for (const [reason, told] of [
    [new Error('timeout'), 'timeout'],
    [new DOMException('', 'AbortError'), 'stopped'],
  ] as const) {
    it(`is canceled with the reason ${told}`, async () => {
      const { posted, tools, ended, run } = start();
      const result = run();
      ended.abort(reason);
      await assert.rejects(result);
      assert.deepEqual(posted.at(-1), { type: 'tool', phase: 'abort', callId: 'c1', reason: told });
      assert.equal(tools.settle({ type: 'toolResult', callId: 'c1', ok: true }), false);
    });
  }
});
