import 'workspace-chat';
import { expect, it } from 'vitest';
import { WorkspaceChatStub } from 'workspace-chat/testing';

it('has the stub also when the page was imported before it', async () => {
  // The package would define an element that shows nothing within a moment.
  await new Promise((resolve) => setTimeout(resolve, 50));
  WorkspaceChatStub.define();
  expect(document.createElement('workspace-chat')).toBeInstanceOf(WorkspaceChatStub);
});
