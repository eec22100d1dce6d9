import 'workspace-chat';
import { expect, it } from 'vitest';

it('has the stub also when the page was imported before it', async () => {
  // The package defines an element that shows nothing.
  await customElements.whenDefined('workspace-chat');
  const { WorkspaceChatStub } = await import('workspace-chat/testing');
  WorkspaceChatStub.define();
  const chat = document.createElement('workspace-chat');
  expect(chat).toBeInstanceOf(WorkspaceChatStub);
  const isReady = new Promise((resolve) => chat.addEventListener('workspace-chat-ready', resolve));
  document.body.append(chat);
  await isReady;
  chat.show();
  expect(chat.open).toBe(true);
});
