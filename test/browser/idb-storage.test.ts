import { expect } from '@open-wc/testing';
import { useStore } from '../../src/chat/storage/idb-store.ts';
import { IdbStorage } from '../../src/chat/storage/idb-storage.ts';

interface Message {
  key: string;
}
interface Kept {
  startedAt: number;
  messages: Message[];
}

const messages = (count: number, from = 0): Message[] =>
  Array.from({ length: count }, (_, index) => ({ key: `m${from + index}` }));

/** The records of these tests. Other files use the same database at the same time. */
const own: readonly unknown[] = ['a', 'ab', 'b'];

/** Reads the entries of the database, and writes to it like another tab. */
const keysInStore = () =>
  useStore(
    'readonly',
    (store) =>
      new Promise<IDBValidKey[]>((resolve) => {
        const request = store.getAllKeys();
        request.onsuccess = () =>
          resolve(request.result.filter((key) => own.includes(Array.isArray(key) ? key[0] : key)));
      }),
  );

const putsOf = async (operate: () => Promise<void>): Promise<unknown[]> => {
  const { put } = IDBObjectStore.prototype;
  const keys: unknown[] = [];
  IDBObjectStore.prototype.put = function (value, key) {
    keys.push(key);
    return put.call(this, value, key);
  };
  try {
    await operate();
  } finally {
    IDBObjectStore.prototype.put = put;
  }
  return keys;
};

const add = (more: Message[]) => (value: unknown) => {
  const record = (value as Kept | undefined) ?? { startedAt: 1, messages: [] };
  return { ...record, messages: [...record.messages, ...more] };
};

describe('IdbStorage', () => {
  afterEach(async () => {
    const keys = await keysInStore();
    await useStore('readwrite', (store) => {
      for (const key of keys) store.delete(key);
    });
  });

  it('keeps no transaction open while its page is in the back/forward cache, and repeats it afterwards', async () => {
    const storage = new IdbStorage();
    await storage.update('a', () => ({ startedAt: 1, messages: [] }));
    const show = (type: 'pagehide' | 'pageshow') => dispatchEvent(new PageTransitionEvent(type, { persisted: true }));
    let attempts = 0;
    const updated = storage.update('a', (value) => {
      attempts++;
      if (attempts === 1) show('pagehide');
      return { ...(value as Kept), startedAt: 2 };
    });
    // A second connection waits for no transaction of the hidden page.
    const seen = await new Promise((resolve) => {
      const request = indexedDB.open('workspace-chat');
      request.onsuccess = () => {
        const store = request.result.transaction('conversations', 'readwrite').objectStore('conversations');
        const found = store.get('a');
        found.onsuccess = () => {
          request.result.close();
          resolve((found.result as Kept).startedAt);
        };
      };
    });
    const attemptsWhileHidden = attempts;
    show('pageshow');
    await updated;
    expect([seen, attemptsWhileHidden]).to.deep.equal([1, 1]);
    expect([((await storage.load('a')) as Kept).startedAt, attempts]).to.deep.equal([2, 2]);
  });

  it('closes its connection for a page that upgrades the database, and opens it again', async () => {
    const storage = new IdbStorage();
    await storage.update('a', add(messages(1)));
    const upgraded = await new Promise<IDBDatabase>((resolve, reject) => {
      const probe = indexedDB.open('workspace-chat');
      probe.onerror = () => reject(probe.error!);
      probe.onsuccess = () => {
        const { version } = probe.result;
        probe.result.close();
        const request = indexedDB.open('workspace-chat', version + 1);
        request.onerror = () => reject(request.error!);
        request.onblocked = () => reject(new Error('A connection is still open.'));
        request.onsuccess = () => resolve(request.result);
      };
    });
    upgraded.onversionchange = () => upgraded.close();
    await storage.update('a', add(messages(1, 1)));
    expect(await storage.load('a')).to.deep.equal({ startedAt: 1, messages: messages(2) });
    upgraded.close();
  });

  it('stores a short record as one entry', async () => {
    const storage = new IdbStorage();
    await storage.update('a', add(messages(59)));
    expect(await keysInStore()).to.deep.equal(['a']);
    expect(await new IdbStorage().load('a')).to.deep.equal({ startedAt: 1, messages: messages(59) });
  });

  it('stores a long record in pages, and restores the whole', async () => {
    const storage = new IdbStorage();
    await storage.update('a', add(messages(209)));
    expect(await keysInStore()).to.deep.equal(['a', ['a', 0], ['a', 1], ['a', 2]]);
    expect(await new IdbStorage().load('a')).to.deep.equal({ startedAt: 1, messages: messages(209) });
  });

  it('writes only the end of a record and the pages that have changed', async () => {
    const storage = new IdbStorage();
    await storage.update('a', add(messages(190)));
    expect(await putsOf(() => storage.update('a', add(messages(1, 190))))).to.deep.equal(['a']);
    expect(await putsOf(() => storage.update('a', add(messages(20, 191))))).to.deep.equal([['a', 3], 'a']);
    const change = (value: unknown) => {
      const record = value as Kept;
      return {
        ...record,
        messages: record.messages.map((message) => (message.key === 'm60' ? { key: 'other' } : message)),
      };
    };
    expect(await putsOf(() => storage.update('a', change))).to.deep.equal([['a', 1], 'a']);
    const loaded = (await new IdbStorage().load('a')) as Kept;
    expect(loaded.messages).to.have.length(211);
    expect(loaded.messages[60]).to.deep.equal({ key: 'other' });
  });

  it('reads what another tab has written, or deleted and written again', async () => {
    const [one, other] = [new IdbStorage(), new IdbStorage()];
    await one.update('a', add(messages(230)));
    await other.update('a', add(messages(70, 230)));
    expect(await one.load('a')).to.deep.equal({ startedAt: 1, messages: messages(300) });
    await other.update('a', () => undefined);
    expect(await one.load('a')).to.equal(undefined);
    await other.update('a', add(messages(150, 1_000)));
    await one.update('a', add(messages(1, 1_150)));
    expect(await other.load('a')).to.deep.equal({ startedAt: 1, messages: messages(151, 1_000) });
  });

  it('restores no pages of an earlier, longer transcript', async () => {
    const storage = new IdbStorage();
    await storage.update('a', add(messages(230)));
    await storage.update('a', () => ({ startedAt: 2, messages: messages(120, 500) }));
    expect(await new IdbStorage().load('a')).to.deep.equal({ startedAt: 2, messages: messages(120, 500) });
  });

  it('reads and continues a record of an earlier version, which had up to two pages of messages in the record itself', async () => {
    const all = messages(180);
    await useStore('readwrite', (store) => {
      for (let page = 0; page < 2; page++) store.put(all.slice(50 * page, 50 * page + 50), ['a', page]);
      store.put({ startedAt: 1, messages: all.slice(100), pages: 2, stamp: 1 }, 'a');
    });
    const storage = new IdbStorage();
    expect(await putsOf(() => storage.update('a', add(messages(1, 180))))).to.deep.equal([['a', 2], 'a']);
    expect(await new IdbStorage().load('a')).to.deep.equal({ startedAt: 1, messages: messages(181) });
  });

  it('deletes the pages of a deleted record, no pages of other records, and lists the records', async () => {
    const storage = new IdbStorage();
    for (const key of ['a', 'ab', 'b']) await storage.update(key, add(messages(150)));
    await storage.update('a', () => undefined);
    expect(await keysInStore()).to.deep.equal(['ab', 'b', ['ab', 0], ['ab', 1], ['b', 0], ['b', 1]]);
    expect((await storage.keys()).filter((key) => own.includes(key))).to.deep.equal(['ab', 'b']);
  });

  it('deletes the pages of a record that becomes short', async () => {
    const storage = new IdbStorage();
    await storage.update('a', add(messages(150)));
    await storage.update('a', () => ({ version: 1, epoch: 'e', erasedAt: 1 }));
    expect(await keysInStore()).to.deep.equal(['a']);
  });

  it('rejects when a transaction aborts after its requests have succeeded', async () => {
    const storage = new IdbStorage();
    await storage.update('a', add(messages(150)));
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = function (value, key) {
      const request = put.call(this, value, key);
      request.addEventListener('success', () => this.transaction.abort());
      return request;
    };
    try {
      await storage.update('a', add(messages(50, 150))).then(
        () => expect.fail('the update settled as if it had been kept'),
        () => {},
      );
    } finally {
      IDBObjectStore.prototype.put = put;
    }
    expect(await storage.load('a')).to.deep.equal({ startedAt: 1, messages: messages(150) });
  });
});
