/**
 * What shows notices, problems, waits and the line below a message, leads to the end of the transcript, and announces events. It is
 * loaded soon after the panel.
 */
import { BannerElement } from './banner.ts';
import { noticeText } from '../locale/problem-text.ts';
import { AttentionController } from './attention.ts';
import { markPlace, messageEnd } from './message-end.ts';
import { MessageProblemElement } from './message-problem.ts';
import { ToEndElement } from './to-end.ts';

export { AttentionController, markPlace, messageEnd, noticeText };

export const problemElements = {
  'workspace-chat-banner': BannerElement,
  'workspace-chat-problem': MessageProblemElement,
  'workspace-chat-to-end': ToEndElement,
};
