import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createWorld, openTab, person, transcript } from '../../support/fakes/conversation.ts';
import { started, streamed } from '../../support/fakes/fake-service.ts';

describe('A page without a secure context', () => {
  const { subtle } = crypto;
  const { warn } = console;
  const warnings: unknown[] = [];

  before(() => {
    Object.defineProperty(crypto, 'subtle', { value: undefined, configurable: true });
    console.warn = (text: unknown) => warnings.push(text);
  });
  after(() => {
    Object.defineProperty(crypto, 'subtle', { value: subtle, configurable: true });
    console.warn = warn;
  });
  beforeEach(() => warnings.splice(0));

  it('has a chat with a proven visitor, and says once what is missing', async () => {
    const world = createWorld();
    const tab = openTab(world, [streamed(started()), streamed(started())]);
    await tab.conversation.start();
    tab.conversation.setContact(person('amal'));
    await tab.conversation.send('Hi');
    await tab.conversation.send('Again');
    assert.deepEqual(
      tab.service.calls.map(({ body }) => (body as { contact?: unknown }).contact),
      [person('amal'), person('amal')],
    );
    assert.equal(warnings.length, 1);
    assert.match(String(warnings[0]), /no secure context \(HTTPS\)/);
  });

  it('shows the conversation of a visitor only to the same one after a reload, and stores no id', async () => {
    for (const [name, isShown] of [
      ['amal', true],
      ['badr', false],
    ] as const) {
      const world = createWorld();
      const first = openTab(world, [streamed(started())]);
      await first.conversation.start();
      first.conversation.setContact(person('amal'));
      await first.conversation.send('secret');
      first.conversation.dispose();
      await world.clock.advance(0);
      assert.ok(!JSON.stringify(await world.storage.load('key')).includes('amal'));
      const next = openTab(world, [streamed(started())]);
      next.conversation.setContact(person(name));
      await next.conversation.start();
      await world.clock.advance(0);
      assert.equal(transcript(next.conversation).join().includes('secret'), isShown, name);
    }
  });
});
