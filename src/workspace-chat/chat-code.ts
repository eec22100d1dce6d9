/** Receives the code of the chat. Its file hands it over here, and exports nothing: see `chat-file.ts`. */
import type { Chat } from './chat.ts';
import type { Panel } from './panel.ts';
import type { toViewState } from './view-state.ts';

/** What the launcher uses of the chat. */
export interface ChatCode {
  readonly Chat: typeof Chat;
  readonly Panel: typeof Panel;
  readonly toViewState: typeof toViewState;
}

let received: ChatCode | undefined;

export const provideChat = (code: ChatCode): void => {
  received = code;
};

/** Returns undefined when the file of the chat has not been evaluated. */
export const receiveChat = (): ChatCode | undefined => received;
