/** The pages to compare: this widget, other widgets, and the least code that can show a reply. */
export interface Peer {
  name: string;
  /** The content of the page's head. */
  head: string;
  body?: string;
  /** The element whose shadow root contains the chat, or nothing when it is in the page itself. */
  host?: string;
  /** The button that opens the chat, or nothing when it is open from the start. */
  launcher?: string;
  /** The field in which the visitor types. */
  field: string;
  /** Whether it can show a stored conversation. `history.ts` describes how. */
  restores?: boolean;
}

const module = (code: string): string => `<script type="module">${code}</script>`;

/** A minimal page with a text field. `draw(text)` shows the reply, whole or in chunks. */
const baseline = (setUp: string): string =>
  module(`
    ${setUp}
    const field = document.querySelector('textarea');
    field.addEventListener('keydown', async (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      const response = await fetch('/api/v2/agents/a/chat', { method: 'POST', body: '{"stream":true}' });
      const body = response.body.pipeThrough(new TextDecoderStream()).getReader();
      const draw = start(document.querySelector('#chat').appendChild(document.createElement('div')));
      for (let rest = '';;) {
        const { done, value } = await body.read();
        if (done) return;
        const events = (rest + value).split('\\n\\n');
        rest = events.pop();
        for (const event of events) if (event.includes('event: delta')) draw(JSON.parse(event.split('data: ')[1]).text);
      }
    });
  `);

const chatBox = `<div id="chat" style="width:360px;height:600px;overflow:auto"></div><textarea></textarea>`;

export const own: Peer = {
  name: 'workspace-chat',
  head: `<script type="module" src="/own/workspace-chat.js"></script>`,
  body: `<workspace-chat base-url="/api/v2" publishable-key="svc_pk_bench" agent-id="a"></workspace-chat>`,
  host: 'workspace-chat',
  launcher: '.launcher',
  field: 'textarea',
  restores: true,
};

/** The widget in the page from the start, as deep-chat is: all stages load without a click. */
export const ownInline: Peer = {
  ...own,
  name: 'workspace-chat, inline',
  body: `<workspace-chat base-url="/api/v2" publishable-key="svc_pk_bench" agent-id="a" mode="inline"
    style="width: 360px; height: 600px"></workspace-chat>`,
  launcher: undefined,
};

/** The widget in an application that has bundled the npm package. */
export const ownNpm: Peer = {
  ...own,
  name: 'workspace-chat, npm',
  head: `<script type="module" src="/npm/workspace-chat.js"></script>`,
};

export const deepChat: Peer = {
  name: 'deep-chat',
  head: module(`
    import '/node_modules/deep-chat/dist/deepChat.bundle.js';
    const chat = document.createElement('deep-chat');
    chat.history = window.earlier ?? [];
    chat.connect = { url: '/ask-deep-chat', stream: true };
    chat.style.width = '360px';
    chat.style.height = '600px';
    document.body.append(chat);
  `),
  host: 'deep-chat',
  field: '#text-input',
  restores: true,
};

/** It stores nothing by default. */
export const storingDeepChat: Peer = {
  ...deepChat,
  name: 'deep-chat, stored',
  head: deepChat.head.replace('chat.history = window.earlier ?? [];', 'chat.browserStorage = true;'),
};

export const n8n: Peer = {
  name: 'n8n chat',
  head: `<link rel="stylesheet" href="/node_modules/@n8n/chat/dist/style.css">${module(`
    import { createChat } from '/node_modules/@n8n/chat/dist/chat.bundle.es.js';
    createChat({ webhookUrl: '/n8n', enableStreaming: true, initialMessages: [] });
  `)}`,
  launcher: '.chat-window-toggle',
  field: '.chat-inputs textarea',
  restores: true,
};

export const flowise: Peer = {
  name: 'flowise-embed',
  head: module(`
    import Chatbot from '/node_modules/flowise-embed/dist/web.js';
    Chatbot.init({ chatflowid: 'a', apiHost: location.origin });
  `),
  host: 'flowise-chatbot',
  launcher: 'button[part="button"]',
  field: 'textarea',
  restores: true,
};

/** The baseline: a paragraph for each block, appended to once a frame, without Markdown. */
export const plain: Peer = {
  name: 'plain paragraphs',
  body: chatBox,
  field: 'textarea',
  head: baseline(`
    const start = (box) => {
      let waiting = '';
      return (piece) => {
        if (waiting === '') requestAnimationFrame(() => {
          waiting.split('\\n\\n').forEach((part, index) => {
            if (index > 0 || !box.lastChild) box.append(document.createElement('p'));
            box.lastChild.append(part);
          });
          waiting = '';
          box.parentNode.scrollTop = box.parentNode.scrollHeight;
        });
        waiting += piece;
      };
    };
  `),
};

/** Parses, sanitizes and sets the whole reply again for each chunk, as most tutorials do. */
export const marked: Peer = {
  name: 'marked + DOMPurify',
  body: chatBox,
  field: 'textarea',
  head: baseline(`
    import { marked } from '/node_modules/marked/lib/marked.esm.js';
    import DOMPurify from '/node_modules/dompurify/dist/purify.es.mjs';
    const start = (box) => {
      let text = '';
      return (piece) => {
        text += piece;
        box.innerHTML = DOMPurify.sanitize(marked.parse(text));
        box.parentNode.scrollTop = box.parentNode.scrollHeight;
      };
    };
  `),
};

export const widgets: Peer[] = [own, deepChat, n8n, flowise];
export const peers: Peer[] = [...widgets, plain, marked];
