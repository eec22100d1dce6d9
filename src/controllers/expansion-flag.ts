/** Whether the visitor has made the floating panel wide, in this tab. */
import { tabFlag } from '../chat/storage/tab-flag.ts';

export const expansionFlag = tabFlag('workspace-chat-wide');
