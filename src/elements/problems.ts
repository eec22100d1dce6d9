/**
 * What shows notices, problems, waits and the line below a message, leads to the end of the transcript, and announces events. It is
 * loaded soon after the panel.
 */
import { BannerElement } from './banner.ts';
import { ConnectionController, type StatusHost } from './connection-controller.ts';
import { ExpansionController } from './expansion.ts';
import type { ConversationListener } from '../controllers/event-controller.ts';
import { formatTime } from '../locale/format.ts';
import { noticeText } from '../locale/problem-text.ts';
import { AttentionController } from './attention.ts';
import { avatar } from './avatar.ts';
import { markPlace, messageEnd } from './message-end.ts';
import { MessageProblemElement } from './message-problem.ts';
import { MotionController } from './motion.ts';
import { ToEndElement } from './to-end.ts';

export { avatar, markPlace, messageEnd, noticeText };

/**
 * Adds to the panel what it does besides showing the conversation.
 * @param used What the visitor used last, while this code was being loaded.
 * @param missed What changed in the conversation meanwhile.
 * @param languageTag The BCP 47 tag for `Intl`.
 */
export const attend = (
  panel: StatusHost,
  used: EventTarget | null,
  missed: readonly Parameters<ConversationListener>[],
  languageTag: string,
): void => {
  // The first message would wait until its formatter is created. Safari has no idle callbacks.
  (globalThis.requestIdleCallback ?? setTimeout)(() => formatTime(0, languageTag));
  panel.addController(new AttentionController(panel, used, missed));
  panel.addController(new ConnectionController(panel));
  panel.addController(new ExpansionController(panel));
  panel.addController(new MotionController(panel));
};

export const problemElements = {
  'workspace-chat-banner': BannerElement,
  'workspace-chat-problem': MessageProblemElement,
  'workspace-chat-to-end': ToEndElement,
};
