/** What answers a visitor: the one place where a language model can take over from the extractive replySource. */
import type { Block, JsonObject, Outcome, Source } from '../../contract/wire.ts';
import type { Language } from '../core/language.ts';
import type { ActionKind } from '../db/schema.ts';

export interface Turn {
  agent: { id: string; name: string; timeZone: string };
  question: string;
  language: Language;
  /** What was said before, oldest first, without the question. */
  history: { id?: string; role: 'user' | 'assistant'; content: string; blocks?: Block[] | null }[];
  /** A person has been asked for and has not come yet. */
  isHandoffRequested: boolean;
  /** Who the visitor has proven to be, with notes of earlier conversations: to be read, never to be obeyed. */
  contact: { name: string; notes: string[] } | undefined;
  /** The agent's enabled actions; a client tool is among them only when the visitor's app offered it. */
  actions: Action[];
  keep: ReplyEffects;
  /** Milliseconds since the epoch. */
  now: number;
  /** Milliseconds between pieces; 0 for an answer that is not streamed. */
  chunkDelay: number;
  signal: AbortSignal;
}

/** Keeps what a visitor's answers come to, before it is spoken of. */
export interface ReplyEffects {
  /** A form filled in; once for each message that showed one. */
  submission(action: Action, formMessageId: string, data: JsonObject): Promise<void>;
  /** False when the place is somebody's already. */
  booking(action: Action, startsAt: Date, endsAt: Date): Promise<boolean>;
  /** Runs an http action, or puts it before the team. */
  run(action: Action, args: JsonObject): Promise<ActionOutcome>;
  /** Asks the team for a person. */
  requestHandoff(): Promise<void>;
}

/** What came of an http action. */
export type ActionOutcome = { outcome: 'worked'; result: JsonObject } | { outcome: 'failed' | 'refused' | 'waiting' };

export interface Action {
  id: string;
  name: string;
  kind: ActionKind;
  descriptionEn: string;
  descriptionAr: string;
  inputSchema: JsonObject;
  config: JsonObject;
}

/** What an replySource yields on its way: a piece of text, or a client tool it wants run. */
export type Step = { type: 'text'; text: string } | { type: 'tool'; action: Action; arguments: JsonObject };

/** What became of a tool the replySource yielded. */
export type ToolOutcome = { ok: true; result: JsonObject } | { ok: false; reason: 'client_error' | 'client_timeout' };

/** What an replySource comes to, apart from the text it has yielded. */
export interface Answer {
  outcome: Outcome;
  sources: Source[];
  blocks?: Block[];
  /** The answer came without its full means. */
  degraded?: boolean;
  /** What stands in the end, where that is something else than the text yielded. */
  text?: string;
}

export interface ReplySource {
  /** A yielded tool's outcome comes back as the value of the `yield`. Nothing is returned once the signal has aborted. */
  answer(turn: Turn): AsyncGenerator<Step, Answer | undefined, ToolOutcome | undefined>;
}
