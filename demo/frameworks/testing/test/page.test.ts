import { beforeAll, expect, it } from 'vitest';
import { WorkspaceChatStub } from 'workspace-chat/testing';
import { connectChat } from '../src/page.ts';

const find = () => document.querySelector('workspace-chat') as unknown as WorkspaceChatStub;

beforeAll(() => {
  WorkspaceChatStub.define();
  document.body.innerHTML = '<button id="help">Help</button><workspace-chat></workspace-chat>';
  connectChat();
});

it('opens the chat and asks about the order', () => {
  document.querySelector<HTMLButtonElement>('#help')!.click();
  const calls = find().calls.filter(({ method }) => method !== 'registerTool');
  expect(calls).toEqual([
    { method: 'show', args: [] },
    { method: 'send', args: ['Where is my order?'] },
  ]);
});

it('gives the agent the cart', async () => {
  expect(await find().callTool('get_cart')).toEqual({ name: 'get_cart', ok: true, result: { total: 3 } });
});
