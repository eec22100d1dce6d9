import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { valuesOf } from '../../support/values-of.ts';

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
    const { testingMark } = await import('../../../src/workspace-chat/testing-mark.ts');
    // In a test of the page, the package may be imported before the stub, while its element is still being loaded.
    const { WorkspaceChatStub } = await import('../../../src/entries/testing.ts');
    defineInertChat();
    assert.deepEqual(defined, []);
    WorkspaceChatStub.define();
    Reflect.deleteProperty(globalThis, testingMark);
    defineInertChat();
    Object.assign(globalThis, { [testingMark]: true });
    assert.deepEqual(defined, ['workspace-chat', 'workspace-chat']);
  });

  it('has every method of the element', async () => {
    const { defineInertChat } = await import('../../../src/workspace-chat/inert-chat.ts');
    const { testingMark } = await import('../../../src/workspace-chat/testing-mark.ts');
    const { methods } = await import('../../../src/products/embed/embedded-chat.ts');
    let inert: CustomElementConstructor | undefined;
    const customElements = {
      get: () => undefined,
      define: (_name: string, constructor: CustomElementConstructor) => (inert = constructor),
    };
    Object.defineProperty(globalThis, 'customElements', { value: customElements, configurable: true });
    Reflect.deleteProperty(globalThis, testingMark);
    defineInertChat();
    Object.assign(globalThis, { [testingMark]: true });
    assert.deepEqual(
      methods.filter((method) => !(method in inert!.prototype)),
      [],
    );
  });

  it('becomes a stub where it was defined before', async () => {
    const { defineInertChat } = await import('../../../src/workspace-chat/inert-chat.ts');
    const { testingMark } = await import('../../../src/workspace-chat/testing-mark.ts');
    const { WorkspaceChatStub } = await import('../../../src/entries/testing.ts');
    const classes: CustomElementConstructor[] = [];
    const customElements = {
      get: () => classes[0],
      define: (_name: string, constructor: CustomElementConstructor) => void classes.push(constructor),
    };
    Object.defineProperty(globalThis, 'customElements', { value: customElements, configurable: true });
    Reflect.deleteProperty(globalThis, testingMark);
    defineInertChat();
    Object.assign(globalThis, { [testingMark]: true });
    const [Defined] = classes;
    WorkspaceChatStub.define();
    WorkspaceChatStub.define();
    const chat = new Defined!() as unknown as InstanceType<typeof WorkspaceChatStub>;
    assert.ok(chat instanceof WorkspaceChatStub);
    chat.identify(null);
    chat.setDraft('Hi');
    assert.deepEqual(valuesOf(chat.calls, 'method'), ['identify', 'setDraft']);
    assert.equal(classes.length, 1);
  });
});
