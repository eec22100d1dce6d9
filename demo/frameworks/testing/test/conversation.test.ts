import { expect, it } from 'vitest';
import { createConversation } from 'workspace-chat/client';
import { createFakeService } from 'workspace-chat/testing';

it('shows the reply of the agent', async () => {
  const service = createFakeService();
  service.reply('We open at nine.');
  const conversation = createConversation({ ...service, storage: 'memory' });
  await conversation.send('When do you open?');
  expect(conversation.store.state.messages.map((message) => 'text' in message && message.text)).toEqual([
    'When do you open?',
    'We open at nine.',
  ]);
  conversation.dispose();
  await service.close();
});
