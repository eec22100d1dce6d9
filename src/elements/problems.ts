/** The elements that show notices, problems and waits, and what announces them. They are loaded together, soon after the panel. */
import { BannerElement } from './banner.ts';
import { noticeText } from '../locale/problem-text.ts';
import { AttentionController } from './attention.ts';
import { MessageProblemElement } from './message-problem.ts';

export { AttentionController, noticeText };

export const problemElements = {
  'workspace-chat-banner': BannerElement,
  'workspace-chat-problem': MessageProblemElement,
};
