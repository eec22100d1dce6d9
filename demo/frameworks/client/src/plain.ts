import { createConversation, type ConversationState } from 'workspace-chat/client';
import { workspace } from './workspace.ts';

const conversation = createConversation(workspace);
const list = document.querySelector('ol')!;
const form = document.querySelector('form')!;
const input = form.querySelector('input')!;
const stop = form.querySelector<HTMLButtonElement>('[name="stop"]')!;

const toItem = (text: string, role: string): HTMLLIElement => {
  const item = document.createElement('li');
  item.className = role;
  item.textContent = text; // Never use innerHTML: the agent wrote this text.
  return item;
};

const render = ({ messages, turn }: ConversationState): void => {
  const items = messages.flatMap((message) => (message.role === 'notice' ? [] : toItem(message.text, message.role)));
  if ('reply' in turn) items.push(toItem(turn.reply.text, 'assistant live'));
  if (turn.status === 'failed') items.push(toItem('This message was not sent.', 'problem'));
  list.replaceChildren(...items);
  stop.disabled = !conversation.busy;
};

conversation.store.subscribe(render);
render(conversation.store.state);
stop.addEventListener('click', () => conversation.stop());
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void conversation.send(input.value);
  input.value = '';
});
