/** An application with the React component. A server renders it, and the browser hydrates it. */
import { createElement as h, useEffect, useRef, useState, type ReactNode } from 'react';
import { WorkspaceChat, type WorkspaceChatElement } from '../../../src/entries/react.ts';

export interface Settings {
  baseUrl: string;
  publishableKey: string;
  agentId: string;
}

export const App = ({ settings }: { settings: Settings }): ReactNode => {
  const chat = useRef<WorkspaceChatElement>(null);
  const [renderings, setRenderings] = useState(0);
  const [isShown, setIsShown] = useState(true);
  const [readyCount, setReadyCount] = useState(0);
  const [replies, setReplies] = useState<string[]>([]);

  useEffect(
    () =>
      chat.current?.registerTool<{ order_number: string }>({
        name: 'get_order_status',
        run: ({ order_number }) => ({ order_number, status: 'shipped' }),
      }),
    [],
  );

  const chatElement = h(
    WorkspaceChat,
    {
      ref: chat,
      ...settings,
      id: 'chat',
      className: 'support',
      heading: renderings === 0 ? 'Ask us' : undefined,
      greeting: `Rendering ${renderings}`,
      starters: ['Where is my order 4711?'],
      strings: { send: 'Send it' },
      onReady: () => setReadyCount((before) => before + 1),
      onMessage: ({ message }) => setReplies((before) => [...before, `${renderings}: ${message.content}`]),
    },
    h('b', { slot: 'header-end' }, 'Help'),
  );
  return h(
    'main',
    null,
    h('button', { onClick: () => setRenderings((before) => before + 1) }, 'Render again'),
    h('button', { onClick: () => setIsShown((before) => !before) }, 'Show or remove the chat'),
    h('output', { id: 'ready' }, readyCount),
    h('output', { id: 'replies' }, replies.join(' | ')),
    isShown && chatElement,
  );
};
