/** Makes the floating panel wide, and narrow again. */
import { tabFlag } from '../chat/storage/tab-flag.ts';

/** Whether the visitor has made the floating panel wide, in this tab. */
export const expansionFlag = tabFlag('workspace-chat-wide');

/** Whether a panel is wide. */
export const isExpanded = (panel: Element): boolean => panel.closest('.panel')?.matches('.wide') ?? false;

/** Makes the panel wide or narrow, for all pages of the tab. */
export const setExpanded = (panel: Element, isWide: boolean): void => {
  panel.closest('.panel')?.classList.toggle('wide', isWide);
  expansionFlag.set(isWide);
};
