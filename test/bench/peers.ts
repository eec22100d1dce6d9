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

/** Asks for a reply. `draw(text)` shows it, whole or in chunks. */
const askFor = `
  const askFor = async (draw) => {
    const response = await fetch('/api/v2/agents/a/chat', { method: 'POST', body: '{"stream":true}' });
    const body = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let rest = '';;) {
      const { done, value } = await body.read();
      if (done) return;
      const events = (rest + value).split('\\n\\n');
      rest = events.pop();
      for (const event of events) if (event.includes('event: delta')) draw(JSON.parse(event.split('data: ')[1]).text);
    }
  };
`;

/** A paragraph for each block, appended to once a frame, without Markdown. */
const paragraphs = `
  const start = (box, scroller = box.parentNode) => {
    let waiting = '';
    return (piece) => {
      if (waiting === '') requestAnimationFrame(() => {
        waiting.split('\\n\\n').forEach((part, index) => {
          if (index > 0 || !box.lastChild) box.append(document.createElement('p'));
          box.lastChild.append(part);
        });
        waiting = '';
        scroller.scrollTop = scroller.scrollHeight;
      });
      waiting += piece;
    };
  };
`;

/** A minimal page with a text field. `start(box)` returns the function that draws a reply in the box. */
const baseline = (setUp: string): string =>
  module(`
    ${setUp}
    ${askFor}
    const field = document.querySelector('textarea');
    field.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      askFor(start(document.querySelector('#chat').appendChild(document.createElement('div'))));
    });
  `);

const chatBox = `<div id="chat" style="width:360px;height:600px;overflow:auto"></div><textarea></textarea>`;

/** The widget as a site adds it. */
export const own: Peer = {
  name: 'workspace-chat',
  head: `<script async src="/own/embed.js" data-base-url="/api/v2" data-publishable-key="svc_pk_bench" data-agent-id="a"></script>`,
  host: 'workspace-chat',
  launcher: '.launcher',
  field: 'textarea',
  restores: true,
};

/** The widget in the page from the start, as deep-chat is: all stages load without a click. */
export const ownInline: Peer = {
  ...own,
  name: 'workspace-chat, inline',
  head: `<script type="module" src="/own/workspace-chat.js"></script>`,
  body: `<workspace-chat base-url="/api/v2" publishable-key="svc_pk_bench" agent-id="a" mode="inline"
    style="width: 360px; height: 600px"></workspace-chat>`,
  launcher: undefined,
};

/** The widget in an application that has bundled the npm package. */
export const ownNpm: Peer = {
  ...own,
  name: 'workspace-chat, npm',
  head: `<script type="module" src="/npm/workspace-chat.js"></script>`,
  body: `<workspace-chat base-url="/api/v2" publishable-key="svc_pk_bench" agent-id="a"></workspace-chat>`,
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

/** It is published as modules without their dependencies, so `side-by-side.ts` bundles it. */
export const carbon: Peer = {
  name: 'Carbon AI Chat',
  head: module(`
    import '/carbon/carbon.js';
    const chat = document.createElement('cds-aichat-container');
    chat.openChatByDefault = true;
    chat.injectCarbonTheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'g90' : 'white';
    chat.locale = document.documentElement.lang === 'ar' ? 'ar' : 'en';
    chat.messaging = {
      skipWelcome: true,
      customSendMessage: async (request, options, instance) => {
        const response = await fetch('/ask-carbon', { method: 'POST' });
        if (!response.ok) throw new Error('The service has failed.');
        const generic = [{ response_type: 'text', text: await response.text() }];
        await instance.messaging.addMessage({ output: { generic } });
      },
    };
    document.body.append(chat);
  `),
  host: 'cds-aichat-container',
  field: '[role=textbox], textarea',
};

/** The baseline. */
export const plain: Peer = {
  name: 'plain paragraphs',
  body: chatBox,
  field: 'textarea',
  head: baseline(paragraphs),
};

/** The baseline in the panel of this widget: what a reply costs there without the widget's own code for it. */
export const plainInPanel: Peer = {
  ...own,
  name: 'plain paragraphs in the panel',
  head: `${own.head}${module(`
    ${paragraphs}
    ${askFor}
    let asked = 0;
    const onKeyDown = (event) => {
      // The first reply is left to the widget, so that all of its code is loaded.
      if (event.key !== 'Enter' || asked++ === 0) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      const root = document.querySelector('workspace-chat').shadowRoot;
      const message = [...root.querySelectorAll('.page')].at(-1).appendChild(document.createElement('div'));
      message.className = 'message agent';
      const box = message.appendChild(document.createElement('div'));
      box.className = 'bubble text md-content';
      askFor(start(box, root.querySelector('.scroller')));
    };
    document.addEventListener('keydown', onKeyDown, { capture: true });
  `)}`,
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
