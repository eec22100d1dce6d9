import { expect } from '@open-wc/testing';
import { configureTesting, createFakeService, type FakeService } from '../../src/entries/testing.ts';
import '../../src/index.ts';
import type { WorkspaceChatElement } from '../../src/element.ts';

describe('The element with the fetch of a fake service', () => {
  let service: FakeService;
  let restore: () => void;
  let chat: WorkspaceChatElement;

  beforeEach(async () => {
    service = createFakeService();
    restore = configureTesting({ fetch: service.fetch });
    const { baseUrl, publishableKey, agentId } = service;
    chat = document.createElement('workspace-chat');
    Object.assign(chat, { baseUrl, publishableKey, agentId, storage: 'memory', mode: 'inline' });
    document.body.append(chat);
    await chat.ready;
  });

  afterEach(async () => {
    chat.remove();
    restore();
    await service.close();
  });

  it('shows a scripted reply', async () => {
    service.reply('We open at nine.');
    const response = await chat.send('When do you open?');
    expect(response?.message?.content).to.equal('We open at nine.');
    expect(service.requests.map(({ text }) => text)).to.deep.equal(['When do you open?']);
  });
});
