import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';

const names = ['HTMLElement', 'customElements'] as const;
const own = names.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);

describe('The element that shows nothing', () => {
  let defined: string[];
  const { info } = console;

  beforeEach(() => {
    defined = [];
    console.info = () => {};
    const customElements = { get: () => undefined, define: (name: string) => void defined.push(name) };
    for (const [name, value] of Object.entries({ HTMLElement: Object, customElements }))
      Object.defineProperty(globalThis, name, { value, configurable: true });
  });
  afterEach(() => {
    console.info = info;
    for (const [name, descriptor] of own) {
      Reflect.deleteProperty(globalThis, name);
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
    }
  });

  it('is defined where the chat cannot run, and leaves the tag to a test of the page', async () => {
    const { defineInertChat } = await import('../../../src/workspace-chat/inert-chat.ts');
    defineInertChat();
    assert.deepEqual(defined, ['workspace-chat']);
    // The test imports the stub after the page has imported the package, whose element is still being loaded.
    const { WorkspaceChatStub } = await import('../../../src/entries/testing.ts');
    defineInertChat();
    WorkspaceChatStub.define();
    assert.deepEqual(defined, ['workspace-chat', 'workspace-chat']);
  });
});
