/** Renders the application on a server. */
import { createElement as h, StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { App, type Settings } from './app.ts';

export const render = (settings: Settings): string => renderToString(h(StrictMode, null, h(App, { settings })));
