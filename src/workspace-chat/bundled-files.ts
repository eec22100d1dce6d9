/** The files of `files.ts`, in a build of one script: everything is there already. */
import { characterEntities } from 'character-entities';
import { lazyFile } from '../chat/lazy-file.ts';
import { addFeedback } from '../elements/feedback.ts';
import { addSpeech } from '../elements/speech.ts';
import { strings as ar } from '../locale/ar.ts';
import { strings as en } from '../locale/en.ts';
import { teamReturn } from '../locale/team-hours.ts';
import { describeConfiguration, reportFailure, runDoctor } from '../products/doctor/index.ts';
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
export const entitiesFile: typeof Files.entitiesFile = bundled(characterEntities);
export const teaserFile: typeof Files.teaserFile = bundled(showTeaser);
export const teamHoursFile: typeof Files.teamHoursFile = bundled(teamReturn);
export const shortcutFile: typeof Files.shortcutFile = bundled(followShortcut);
export const speechFile: typeof Files.speechFile = bundled(addSpeech);
export const feedbackFile: typeof Files.feedbackFile = bundled(addFeedback);
export const webMcpFile: typeof Files.webMcpFile = bundled(exchangeTools);
export const doctorFile: typeof Files.doctorFile = bundled({ describeConfiguration, reportFailure, runDoctor });
export const inertChatFile: typeof Files.inertChatFile = bundled(defineInertChat);
export const olderBrowsersFile: typeof Files.olderBrowsersFile = bundled(adaptColors);

/** The extras that the chat itself loads. */
export const chatExtras: typeof Files.chatExtras = {
  speech: speechFile,
  feedback: feedbackFile,
  entities: entitiesFile,
  teamHours: teamHoursFile,
  doctor: doctorFile,
};
