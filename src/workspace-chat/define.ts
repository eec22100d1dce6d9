/** Defines the tag, unless another copy of the package has defined it. */
import { WorkspaceChatElement } from './workspace-chat.ts';

export const define = (): void => {
  const registry = (globalThis as { customElements?: CustomElementRegistry }).customElements;
  if (registry && !registry.get('workspace-chat')) registry.define('workspace-chat', WorkspaceChatElement);
};
