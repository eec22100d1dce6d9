/** The files of `files.ts`, in a build of one script: everything is there already. */
import { lazyFile } from '../chat/lazy-file.ts';
import { strings as ar } from '../locale/ar.ts';
import { strings as en } from '../locale/en.ts';
import { doctor } from '../products/doctor/index.ts';
import { adaptColors } from '../styles/older-browsers.ts';
import { Chat } from './chat.ts';
import type * as Files from './files.ts';
import { defineInertChat } from './inert-chat.ts';
import { Panel } from './panel.ts';
import { followShortcut } from './shortcut.ts';
import { showTeaser } from './teaser.ts';
import { toViewState } from './view-state.ts';
import { exchangeTools } from './web-mcp.ts';

const bundled = <Content>(content: Content) => lazyFile(async () => content);

export const chatFile: typeof Files.chatFile = bundled({ Chat, Panel, toViewState });
export const textFiles: typeof Files.textFiles = { en: bundled(en), ar: bundled(ar) };
/** One script has only English and Arabic. */
export const loadLocale: typeof Files.loadLocale = async () => null;
export const teaserFile: typeof Files.teaserFile = bundled(showTeaser);
export const shortcutFile: typeof Files.shortcutFile = bundled(followShortcut);
export const webMcpFile: typeof Files.webMcpFile = bundled(exchangeTools);
export const doctorFile: typeof Files.doctorFile = bundled(doctor);
export const inertChatFile: typeof Files.inertChatFile = bundled(defineInertChat);
export const olderBrowsersFile: typeof Files.olderBrowsersFile = bundled(adaptColors);
