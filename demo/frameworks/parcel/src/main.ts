import { WorkspaceChatElement } from 'workspace-chat';
import { workspace } from './workspace.ts';

const show = (id: string, text: string) => {
  document.getElementById(id)!.textContent = text;
};

const chat = new WorkspaceChatElement();
Object.assign(chat, workspace, { heading: 'Ask us', starters: ['Where is my order 4711?'] });
chat.addEventListener('workspace-chat-message', ({ message }) => show('answer', message.content));
chat.registerTool<{ order_number: string }>({
  name: 'get_order_status',
  run: ({ order_number }) => {
    show('order', order_number);
    return { order_number, status: 'shipped' };
  },
});
document.body.append(chat);
