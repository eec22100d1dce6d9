/** What one of the extractive replySource's ways to answer comes to: the text, and the rest. */
import type { Answer, Step, ToolOutcome } from './reply-source.ts';

export interface Reply extends Answer {
  text: string;
}

/** A way to answer that may want a tool run first; nothing when it does not apply. */
export type ReplySteps = AsyncGenerator<Step, Reply | undefined, ToolOutcome | undefined>;
