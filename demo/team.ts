/** The team's inbox: who waits for a person, what was said, replies, the end of a ticket, requests to approve. */
import type { Message } from '../src/api/wire.ts';

interface Ticket {
  id: string;
  conversation_id: string | null;
  subject: string;
  status: string;
  state: string | null;
}

interface Request {
  id: string;
  action: string;
  inputs: string[];
}

const lookEvery = 2000;
const speakers: Record<string, string> = { visitor: 'Visitor', ai: 'Assistant', owner: 'Team' };
const find = (id: string) => document.getElementById(id)!;

const { baseUrl } = (await (await fetch('config.json')).json()) as { baseUrl: string };
const teamUrl = new URL('/team', baseUrl).href;
let key = sessionStorage.getItem('team-key') ?? '';
let chosen: Ticket | undefined;

async function call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const response = await fetch(`${teamUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const answer = (await response.json()) as Answer & { error?: { message: string } };
  if (!response.ok) throw new Error(answer.error?.message ?? response.statusText);
  return answer;
}

async function look(): Promise<void> {
  const inbox = await call<{ tickets: Ticket[]; requests: Request[] }>('GET', '/inbox');
  find('sign-in').hidden = true;
  find('inbox').hidden = false;
  chosen = inbox.tickets.find(({ id }) => id === chosen?.id);
  find('tickets').replaceChildren(...inbox.tickets.map(ticketItem));
  find('requests').replaceChildren(...inbox.requests.map(requestItem));
  await showConversation();
}

function button(text: string, onClick: () => Promise<unknown>): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = text;
  made.addEventListener('click', () => void onClick().then(look, refuse));
  return made;
}

function ticketItem(ticket: Ticket): HTMLLIElement {
  const item = document.createElement('li');
  const open = button(ticket.subject || 'Conversation', async () => {
    chosen = ticket;
  });
  open.setAttribute('aria-current', String(ticket.id === chosen?.id));
  const status = document.createElement('small');
  status.textContent = ticket.status.replace('_', ' ');
  open.append(status);
  item.append(open);
  return item;
}

function requestItem({ id, action, inputs }: Request): HTMLElement {
  const item = document.createElement('p');
  item.textContent = `${action.replaceAll('_', ' ')} (${inputs.join(', ')}) `;
  item.append(
    button('Approve', () => call('POST', `/requests/${id}`, { approve: true })),
    button('Reject', () => call('POST', `/requests/${id}`, { approve: false })),
  );
  return item;
}

async function showConversation(): Promise<void> {
  find('conversation').hidden = !chosen?.conversation_id;
  if (!chosen?.conversation_id) return;
  find('subject').textContent = chosen.subject;
  (find('close') as HTMLButtonElement).disabled = chosen.status === 'closed';
  const { data } = await call<{ data: Message[] }>('GET', `/conversations/${chosen.conversation_id}/messages`);
  const list = find('messages');
  // What has been read stays as it is: only what is new is announced.
  for (const { content, actor_type } of data.slice(
    list.dataset['of'] === chosen.id ? list.children.length : clear(list),
  )) {
    const item = document.createElement('li');
    const who = document.createElement('small');
    who.textContent = speakers[actor_type ?? 'ai'] ?? '';
    item.dir = 'auto';
    item.append(who, content);
    list.append(item);
    item.scrollIntoView({ block: 'end' });
  }
  list.dataset['of'] = chosen.id;
}

function clear(list: HTMLElement): 0 {
  list.replaceChildren();
  return 0;
}

function refuse(error: unknown): void {
  find('inbox').hidden = true;
  find('sign-in').hidden = false;
  find('refusal').textContent = error instanceof Error ? error.message : String(error);
}

find('close').addEventListener('click', () => {
  if (chosen) void call('PATCH', `/tickets/${chosen.id}`, { status: 'closed' }).then(look, refuse);
});

find('reply').addEventListener('submit', (event) => {
  event.preventDefault();
  const text = find('text') as HTMLTextAreaElement;
  const { value } = text;
  text.value = '';
  void call('POST', `/conversations/${chosen?.conversation_id}/reply`, { text: value }).then(look, refuse);
});

find('sign-in').addEventListener('submit', (event) => {
  event.preventDefault();
  key = (find('key') as HTMLInputElement).value.trim();
  sessionStorage.setItem('team-key', key);
  void look().catch(refuse);
});

if (key) await look().catch(refuse);
setInterval(() => {
  if (!find('inbox').hidden && document.visibilityState === 'visible') void look().catch(refuse);
}, lookEvery);
