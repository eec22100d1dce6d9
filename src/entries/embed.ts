/** `embed.js`, a classic script: it creates a chat from its own script tag and loads the module beside it. */
import { embed } from '../products/embed/embedded-chat.ts';
import type * as ScriptTag from './cdn.ts';

const script = document.currentScript as HTMLScriptElement | null;

if (script?.src) {
  const { href } = new URL('workspace-chat.js', script.src);
  embed(script.dataset, { load: () => import(/* @vite-ignore */ href) as Promise<typeof ScriptTag> });
} else {
  console.error('workspace-chat: embed.js is a classic script with a src, no module and no inline script.');
}
