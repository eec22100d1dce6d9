/** Defines the tag, unless another copy of the package has: the first one serves the whole page. */
import { WorkspaceChatElement } from './workspace-chat.ts';

export const define = (): void => {
  const registry = (globalThis as { customElements?: CustomElementRegistry }).customElements;
  if (registry && !registry.get('workspace-chat')) registry.define('workspace-chat', WorkspaceChatElement);
};
