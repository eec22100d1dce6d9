/** Replaces the launchers that a server has rendered by those of the elements, when these have started. */
import type { WorkspaceChatElement } from '../../workspace-chat/workspace-chat.ts';

/** The part of the element that is used. It is missing where the chat cannot run. */
type Chat = Pick<WorkspaceChatElement, 'show' | 'shadowRoot'> & Partial<Pick<WorkspaceChatElement, 'updateComplete'>>;

const replace = async (placeholder: Element): Promise<void> => {
  const chat = placeholder.parentElement as unknown as Chat;
  // Within `:is`, a browser without popovers ignores the selector, which it does not know.
  const isClicked = Boolean(placeholder.shadowRoot?.querySelector(':is(:popover-open)'));
  const isFocused = document.activeElement === placeholder;
  await chat.updateComplete;
  placeholder.remove();
  if (isFocused) chat.shadowRoot?.querySelector<HTMLElement>('.launcher')?.focus({ preventScroll: true });
  if (isClicked) chat.show();
};

/**
 * Removes the launchers of `renderLauncher` when the elements have rendered their own. Focus stays on the launcher, and a click
 * that came before opens the chat.
 * @example
 * ```js
 * import { hydrateLaunchers } from 'workspace-chat/ssr';
 * import 'workspace-chat';
 *
 * hydrateLaunchers();
 * ```
 */
export const hydrateLaunchers = (): void => {
  void customElements.whenDefined('workspace-chat').then(() => {
    const placeholders = document.querySelectorAll('workspace-chat > [data-workspace-chat-launcher]');
    for (const placeholder of placeholders) void replace(placeholder);
  });
};
