/** The rule of the erasures: what carries a smaller number than the current one is gone, everywhere and for ever. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noteErasure } from '../../../src/chat/storage/peek.ts';
import { GuardedStorage } from '../../../src/chat/storage/storage.ts';
import { createDrafts, createErasures, person, type openTab } from '../../support/fakes/conversation.ts';
import { settle } from '../../support/fakes/fake-clock.ts';
import { unreachable } from '../../support/fakes/fake-service.ts';
import { SlowStorage } from '../../support/fakes/slow-storage.ts';
import {
  blocked,
  createBrowser,
  createFullStore,
  former,
  hold,
  send,
  type Browser,
} from '../../support/fakes/stored-browser.ts';

const hour = 3_600_000;

interface Row {
  /** What happens. The text `secret` belongs to what is erased, and `mine` to what is not. */
  name: string;
  /** Returns the tab that has to show `mine`, or null when there is none. */
  run: (browser: Browser) => Promise<ReturnType<typeof openTab> | null>;
}

const rows: readonly Row[] = [
  {
    name: 'two tabs erase at once',
    async run(browser) {
      const [one, two] = [await browser.start(), await browser.start()];
      await send(browser, one, 'secret');
      await Promise.all([one.conversation.reset(), two.conversation.reset()]);
      await send(browser, one, 'mine');
      return one;
    },
  },
  {
    name: 'the record is erased before it is read',
    async run(browser) {
      await send(browser, await browser.start(), 'secret');
      const next = browser.open();
      void next.conversation.start();
      void next.conversation.reset();
      next.conversation.setDraft('mine');
      await browser.world.clock.advance(2_000);
      return next;
    },
  },
  {
    name: 'a text is typed before the first read of a record that was erased before',
    async run(browser) {
      const one = await browser.start();
      await send(browser, one, 'secret');
      await one.conversation.reset();
      const next = browser.open();
      next.conversation.setDraft('mine');
      await next.conversation.start();
      return next;
    },
  },
  {
    name: 'another tab erases between a text and the first read',
    async run(browser) {
      const one = await browser.start();
      const { held, release } = hold(browser.world.storage);
      const next = browser.open({}, { ...browser.deaf(), storage: held });
      void next.conversation.start();
      next.conversation.setDraft('secret');
      await one.conversation.reset();
      release();
      await browser.world.clock.advance(2_000);
      next.conversation.setDraft('mine');
      return next;
    },
  },
  {
    name: 'another tab erases between two reads',
    async run(browser) {
      const one = await browser.start();
      const two = await browser.start({}, browser.deaf());
      await send(browser, two, 'secret');
      await one.conversation.reset();
      await two.conversation.resume();
      await send(browser, two, 'mine');
      return two;
    },
  },
  {
    name: 'an erasure is completed after the next conversation has begun',
    async run(browser) {
      const before = await browser.start();
      await send(browser, before, 'secret');
      await browser.close(before);
      const { held, release } = hold(browser.world.storage);
      const one = browser.open({}, { storage: held });
      void one.conversation.start();
      void one.conversation.reset();
      await browser.world.clock.advance(2_000);
      const two = await browser.start({}, browser.deaf());
      await send(browser, two, 'mine');
      release();
      await browser.world.clock.advance(6_000);
      return two;
    },
  },
  {
    name: 'there are two erasures, and another tab has seen neither',
    async run(browser) {
      const two = await browser.start({}, browser.deaf());
      await send(browser, two, 'secret');
      const one = await browser.start({}, browser.deaf());
      await one.conversation.reset();
      await send(browser, one, 'another secret');
      await one.conversation.reset();
      await send(browser, one, 'mine');
      two.conversation.setDraft('a late secret');
      await two.conversation.resume();
      return two;
    },
  },
  {
    name: '`localStorage` is blocked',
    async run(browser) {
      const one = await browser.start({ erasures: blocked });
      const two = await browser.start({ erasures: blocked });
      await send(browser, one, 'secret');
      await two.conversation.reset();
      await send(browser, one, 'mine');
      return two;
    },
  },
  {
    name: '`localStorage` is full, and the page is left before the erasure is complete',
    async run(browser) {
      const openCounter = createFullStore();
      const erasures = openCounter();
      const one = await browser.start({ erasures });
      const two = await browser.start({ erasures: openCounter() });
      await send(browser, one, 'secret');
      const { held } = hold(browser.world.storage);
      await browser.close(one);
      const leaving = browser.open({ erasures }, { storage: held });
      void leaving.conversation.start();
      void leaving.conversation.reset();
      await settle();
      const next = await browser.start({ erasures });
      await two.conversation.resume();
      await send(browser, two, 'mine');
      return next;
    },
  },
  {
    name: '`localStorage` is cleared by the page while the record stays',
    async run(browser) {
      const one = await browser.start();
      for (const text of ['secret', 'second secret']) {
        await send(browser, one, text);
        await one.conversation.reset();
      }
      await send(browser, one, 'third secret');
      browser.world.erasures.set('key', { count: 0, note: null });
      await browser.close(one);
      // The site's own logout, before the chat is loaded.
      noteErasure('key', false, browser.world.erasures);
      const next = await browser.start();
      await send(browser, next, 'mine');
      browser.world.erasures.set('key', { count: 0, note: null });
      return browser.start();
    },
  },
  {
    name: 'the record is removed while `localStorage` stays',
    async run(browser) {
      const one = await browser.start();
      await send(browser, one, 'secret');
      await one.conversation.reset();
      await browser.world.storage.update('key', () => undefined);
      await send(browser, one, 'mine');
      return browser.start();
    },
  },
  {
    name: 'the site’s data is cleared while tabs are open',
    async run(browser) {
      const one = await browser.start();
      await one.conversation.reset();
      await send(browser, one, 'secret');
      await browser.world.storage.update('key', () => undefined);
      browser.world.erasures.set('key', { count: 0, note: null });
      // The data was cleared, so this tab begins again, and the open one joins it.
      const two = await browser.start();
      await send(browser, two, 'mine');
      await one.conversation.resume();
      return one;
    },
  },
  {
    name: 'the conversation is in memory only',
    async run(browser) {
      const durable = browser.world.storage;
      await send(browser, await browser.start(), 'secret');
      const storage = new GuardedStorage(null, browser.world.clock, () => {}, durable);
      const one = await browser.start({ storage }, browser.deaf());
      await send(browser, one, 'secret in memory');
      await one.conversation.reset();
      await send(browser, one, 'mine');
      for (const { conversation } of browser.opened) await conversation.resume();
      assert.ok(!JSON.stringify(await durable.load('key')).includes('mine'));
      return null;
    },
  },
  {
    name: 'the storage hangs',
    async run(browser) {
      const before = await browser.start();
      await send(browser, before, 'secret');
      await browser.close(before);
      const slow = new SlowStorage();
      await browser.world.clock.advance(1);
      const one = browser.open({}, { storage: slow });
      void one.conversation.start();
      await browser.world.clock.advance(1_000);
      one.conversation.setDraft('hidden secret');
      void one.conversation.reset();
      one.conversation.setDraft('mine');
      await browser.world.clock.advance(10_000);
      await browser.start();
      return one;
    },
  },
  {
    name: 'the page is in the back/forward cache',
    async run(browser) {
      const one = await browser.start({}, browser.deaf());
      await send(browser, one, 'secret');
      one.conversation.suspend();
      const two = await browser.start();
      await two.conversation.reset();
      await send(browser, two, 'mine');
      await one.conversation.resume();
      return one;
    },
  },
  {
    name: 'a tab wakes after three days',
    async run(browser) {
      const one = await browser.start({}, browser.deaf());
      await send(browser, one, 'secret');
      one.conversation.setDraft('half a secret');
      const two = await browser.start();
      await two.conversation.reset();
      await browser.world.clock.advance(72 * hour);
      const three = await browser.start();
      await send(browser, three, 'mine');
      await one.conversation.resume();
      return one;
    },
  },
  {
    name: 'the record expires, which is no erasure',
    async run(browser) {
      const one = await browser.start();
      await one.conversation.reset();
      await send(browser, one, 'secret');
      one.service.clear();
      one.service.add(unreachable);
      await send(browser, one, 'mine');
      await browser.close(one);
      await browser.world.clock.advance(25 * hour);
      const next = await browser.start();
      assert.equal(((await browser.world.storage.load('key')) as { erasureCount: number }).erasureCount, 1);
      return next;
    },
  },
  {
    name: 'the page logs out before a record with an owner is read',
    async run(browser) {
      const one = await browser.start();
      one.conversation.setContact(person('amal'));
      await send(browser, one, 'secret');
      await browser.close(one);
      noteErasure('key', true, browser.world.erasures);
      const next = await browser.start();
      await send(browser, next, 'mine');
      return next;
    },
  },
  {
    name: 'the page logs out before a record without an owner is read',
    async run(browser) {
      await send(browser, await browser.start(), 'mine');
      noteErasure('key', true, browser.world.erasures);
      return browser.start();
    },
  },
  {
    name: 'a record of version 0.1.0 is erased before it is read',
    async run(browser) {
      await browser.world.storage.update('former', () => former());
      noteErasure('key', false, browser.world.erasures);
      const one = await browser.start();
      await send(browser, one, 'mine');
      return one;
    },
  },
  {
    name: 'a tab with version 0.1.0 writes its record after an erasure',
    async run(browser) {
      const one = await browser.start();
      await one.conversation.reset();
      await send(browser, one, 'mine');
      await browser.world.storage.update('former', () => former());
      const next = await browser.start();
      await one.conversation.reset();
      await send(browser, next, 'mine');
      return next;
    },
  },
  {
    name: 'a record of version 0.1.0 with a proven owner is read by somebody else',
    async run(browser) {
      await browser.world.storage.update('former', () => former({ owner: 'f00' }));
      const one = await browser.start();
      await send(browser, one, 'mine');
      return one;
    },
  },
];

describe('An erased text', () => {
  for (const { name, run } of rows) {
    it(`is gone, and no other one, when ${name}`, async () => {
      const browser = createBrowser();
      const shown = await run(browser);
      await browser.world.clock.advance(10_000);
      const { storage } = browser.world;
      const states = JSON.stringify(browser.opened.map(({ store }) => store.state));
      const stored = JSON.stringify([await storage.load('key'), await storage.load('former')]);
      assert.ok(!states.includes('secret'), `shown: ${states}`);
      assert.ok(!stored.includes('secret'), `stored: ${stored}`);
      if (shown) assert.ok(JSON.stringify(shown.store.state).includes('mine'), 'the other text is lost');
    });
  }
});

describe('A record of version 0.1.0', () => {
  it('is read once, and moved to the new key with its draft', async () => {
    const browser = createBrowser();
    await browser.world.storage.update('former', () => former({ draft: 'half a thought' }));
    const one = await browser.start();
    assert.equal(one.store.state.conversationId, 'cnv_0');
    assert.equal(one.store.state.draft, 'half a thought');
    assert.equal(await browser.world.storage.load('former'), undefined);
    await one.conversation.send('More');
    assert.equal(one.service.calls[0]!.body.conversation_token, 'tok_0');
    const next = await browser.start();
    assert.equal(next.store.state.messages.length, 3);
  });

  for (const [whose, fields] of [
    ['of an owner who is not proven yet', { owner: 'f00' }],
    ['that was written after an erasure', { previous: 'e' }],
  ] as const)
    it(`${whose} leaves its draft in the tab before it is deleted`, async () => {
      const browser = createBrowser();
      const drafts = createDrafts();
      await browser.world.storage.update('former', () => former({ ...fields, draft: 'half a thought' }));
      await browser.start({ drafts });
      assert.match(JSON.stringify(drafts.read()), /half a thought/);
    });
});

describe('The counter of a page that was opened before', () => {
  it('ends nothing twice when two pages find the same note', () => {
    const erasures = createErasures();
    noteErasure('key', true, erasures);
    noteErasure('key', false, erasures);
    noteErasure('key', true, erasures);
    assert.deepEqual(erasures.get('key'), { count: 1, note: 'all' });
  });
});
