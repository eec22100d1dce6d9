/** An application that gives the chat a new `contact` function with every rendering. */
import { createElement as h, StrictMode, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { WorkspaceChat } from '../../../src/entries/react.ts';
import type { Settings } from './app.ts';

const App = ({ settings }: { settings: Settings }): ReactNode => {
  const [user, setUser] = useState(sessionStorage.getItem('user') ?? 'ann');
  const [renderings, setRenderings] = useState(0);
  const renderOften = (): void => {
    // Each of them is committed, so the chat gets a hundred functions.
    for (let count = 0; count < 100; count++) flushSync(() => setRenderings((before) => before + 1));
  };
  const signInAsBen = (): void => {
    sessionStorage.setItem('user', 'ben');
    setUser('ben');
  };
  return h(
    'main',
    null,
    h('button', { onClick: renderOften }, 'Render 100 times'),
    h('button', { onClick: signInAsBen }, 'Sign in as Ben'),
    h('output', { id: 'renderings' }, renderings),
    h('output', { id: 'user' }, user),
    h(WorkspaceChat, {
      ...settings,
      contact: async () => (await fetch(`/chat-token/${user}`)).json() as Promise<{ token: string }>,
    }),
  );
};

const settings = JSON.parse(document.querySelector('#settings')!.textContent) as Settings;
createRoot(document.querySelector('#app')!).render(h(StrictMode, null, h(App, { settings })));
