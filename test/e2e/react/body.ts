/** A site that React renders on the body. The page with the script tag calls `renderPage` for each navigation. */
import { createElement as h } from 'react';
import { createRoot, type Root } from 'react-dom/client';

let root: Root | null = null;

const renderPage = (name: string): void => {
  // A new root clears the body.
  root?.unmount();
  root = createRoot(document.body);
  root.render(h('h1', null, name));
};

Object.assign(window, { renderPage });
