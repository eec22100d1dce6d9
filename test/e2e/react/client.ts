/** Hydrates the application that the server rendered, or renders it if the server sent nothing. */
import { createElement as h, StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { App, type Settings } from './app.ts';

const container = document.querySelector('#app')!;
const settings = JSON.parse(document.querySelector('#settings')!.textContent) as Settings;
const app = h(StrictMode, null, h(App, { settings }));
if (container.hasChildNodes()) hydrateRoot(container, app);
else createRoot(container).render(app);
