/** The elements that show problems and waits. They are loaded together, with the first problem. */
import { BannerElement } from './banner.ts';
import { MessageProblemElement } from './message-problem.ts';

export { problemText } from '../locale/problem-text.ts';

export const problemElements = {
  'workspace-chat-banner': BannerElement,
  'workspace-chat-problem': MessageProblemElement,
};
