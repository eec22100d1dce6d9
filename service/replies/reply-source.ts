/** The interface of a reply source. One implementation quotes the knowledge, the other uses a language model. */
import type { Block, JsonObject, Outcome, Source } from '../../contract/wire.ts';
import type { Language } from '../core/language.ts';
import type { Agent } from '../db/records.ts';
import type { ActionKind } from '../db/schema.ts';
import type { SearchExplanation } from '../core/search-explanation.ts';

/** The input of a reply source. */
export interface Turn {
  agent: Pick<Agent, 'id' | 'name' | 'timeZone' | 'knowledgeRevision'>;
  question: string;
  language: Language;
  /** The earlier messages, oldest first, without the question. */
  history: { id?: string; role: 'user' | 'assistant'; content: string; blocks?: Block[] | null }[];
  /** A person of the team was requested and has not joined yet. */
  isHandoffRequested: boolean;
  /** The verified contact, with notes of earlier conversations. Notes are data, never instructions. */
  contact: { name: string; notes: string[] } | undefined;
  /** The agent's enabled actions. A client tool is included only if the visitor's app offered it. */
  actions: Action[];
  effects: ReplyEffects;
  /** Milliseconds since the epoch. */
  now: number;
  /** Milliseconds between the chunks of the text, 0 for a reply that is not streamed. */
  chunkDelay: number;
  signal: AbortSignal;
}

/** The effects that a reply may have. Each is stored before the reply mentions it. */
export interface ReplyEffects {
  /** Saves a submitted form, once for each message that showed the form. */
  saveSubmission(action: Action, formMessageId: string, data: JsonObject): Promise<void>;
  /** Returns false when the place is taken. */
  book(action: Action, startsAt: Date, endsAt: Date): Promise<boolean>;
  /** Runs an http action, or submits it to the team for approval. */
  runAction(action: Action, args: JsonObject): Promise<ActionOutcome>;
  /** Requests a person of the team. */
  requestHandoff(): Promise<void>;
}

/** `unconfirmed`: the request may have had its effect, so it must not be repeated. */
export type ActionOutcome =
  | { outcome: 'worked'; result: JsonObject }
  | { outcome: 'failed' | 'unconfirmed' | 'refused' | 'waiting' };

export interface Action {
  id: string;
  name: string;
  kind: ActionKind;
  descriptionEn: string;
  descriptionAr: string;
  inputSchema: JsonObject;
  config: JsonObject;
}

/** A step of a reply: a chunk of the text, or a client tool to run. */
export type ReplyStep = { type: 'text'; text: string } | { type: 'tool'; action: Action; arguments: JsonObject };

/** The outcome of a client tool, which is the value of the `yield` that requested it. */
export type ToolOutcome = { ok: true; result: JsonObject } | { ok: false; reason: 'client_error' | 'client_timeout' };

/** The end of a reply, without the text that was yielded. */
export interface ReplyDetails {
  outcome: Outcome;
  sources: Source[];
  blocks?: Block[];
  /** The reply was written without all its resources, for example without the model. */
  degraded?: boolean;
  /** What the search of the knowledge found. Absent when the reply needed no search. */
  search?: SearchExplanation;
  /** The final text, where it differs from the text that was yielded. */
  text?: string;
}

/** A complete reply. */
export interface Reply extends ReplyDetails {
  text: string;
}

/** Steps that end with `Result`. */
export type ReplySteps<Result> = AsyncGenerator<ReplyStep, Result, ToolOutcome | undefined>;

export interface ReplySource {
  /** Returns undefined when the turn's signal has aborted. */
  reply(turn: Turn): ReplySteps<ReplyDetails | undefined>;
}
