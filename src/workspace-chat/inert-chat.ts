/** Defines the tag where the chat cannot run: the element shows nothing, and its methods do nothing. */
import { testingMark } from './testing-mark.ts';

export const defineInertChat = (): void => {
  if (testingMark in globalThis || customElements.get('workspace-chat')) return;
  console.info(
    'workspace-chat: there is no chat. It needs Chrome 114, Safari 17 or Firefox 125, and an HTML document.',
  );
  // Not a class of the module: a server, which may evaluate this file, has no HTMLElement.
  class InertChat extends HTMLElement {
    static readonly [testingMark] = true;
    readonly ready = Promise.resolve();

    /** The browser keeps the callback of the definition. It calls that of a stub that has taken the place of this element. */
    connectedCallback(): void {
      const { connectedCallback } = Object.getPrototypeOf(InertChat.prototype) as Partial<InertChat>;
      connectedCallback?.call(this);
    }

    async send(): Promise<null> {
      return null;
    }

    async logout(): Promise<void> {}
    async reset(): Promise<void> {}
    show(): void {}
    hide(): void {}
    toggle(): void {}
    stop(): void {}
    setDraft(): void {}
    identify(): void {}
    receive(): void {}
    showTeaser(): void {}
    suggest(): void {}

    closeTopmost(): boolean {
      return false;
    }

    registerTool(): () => void {
      return () => {};
    }

    registerBlock(): () => void {
      return () => {};
    }

    registerLocale(): () => void {
      return () => {};
    }
  }

  customElements.define('workspace-chat', InertChat);
};
