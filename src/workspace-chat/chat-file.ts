/**
 * The file of the chat: everything that a conversation can need. It hands its code to the launcher, and exports nothing. The
 * bundler would make an object of the exports with `for…in`, which fails on pages that add enumerable properties to
 * `Object.prototype`.
 */
import { provideChat } from './chat-code.ts';
import { Chat } from './chat.ts';
import { Panel } from './panel.ts';
import { toViewState } from './view-state.ts';

provideChat({ Chat, Panel, toViewState });
