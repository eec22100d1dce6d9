/** One turn of a conversation: store the visitor's message, reserve the quota, stream the reply, conclude. */
import { eq } from 'drizzle-orm';
import type { ChatRequest, ChatResponse } from '../../contract/wire.ts';
import type { ActionContext } from '../actions/calls.ts';
import { identify, type Identity, type IdentityClaim } from '../contacts/identity.ts';
import { contactNotes, linkContact, requireSameContact } from '../contacts/link-contact.ts';
import { ApiError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { sha256 } from '../core/ids.ts';
import type { Observer } from '../core/observer.ts';
import type { KeyAccess } from '../core/key-access.ts';
import { languageOf, type Language } from '../core/language.ts';
import type { Db } from '../db/database.ts';
import type { Agent, Contact, Conversation } from '../db/records.ts';
import type { Channel } from '../db/schema.ts';
import { lossOf } from '../db/turn-lease.ts';
import { untilAvailable } from '../db/unavailable.ts';
import { unrepeatableCall, type RepeatableCall } from '../db/repeatable-call.ts';
import type { ReplyDetails, ReplySource, Turn } from '../replies/reply-source.ts';
import { sentences } from '../replies/sentences.ts';
import { serializeChatMessage } from '../resources/message.ts';
import { findConversation, hasEnded } from './conversations.ts';
import { addVisitorMessage, concludeReply, historyLength, newReply } from './messages.ts';
import { reserveQuota } from './quota.ts';
import { createReplyEffects } from './reply-effects.ts';
import { startStages, type Stages } from './stages.ts';
import { startTurn } from './start-turn.ts';
import { streamReply, type TurnEvent } from './stream-reply.ts';
import type { ToolCalls } from './tool-calls.ts';
import type { AcquiredTurn, Turns } from './turns.ts';
import { usableActions } from './usable-actions.ts';
import type { VisitOrigin } from './visit-origin.ts';

export interface TurnContext extends ActionContext {
  observer: Observer;
  log: Log;
  replySource: ReplySource;
  toolCalls: ToolCalls;
  turns: Turns;
  /** Returns the milliseconds between the chunks of a streamed reply. */
  chunkDelay(): number;
}

/** A validated chat request. `messages` may contain earlier replies that the app sends as context. */
export type TurnRequest = Omit<ChatRequest, 'messages' | 'contact'> & {
  contact?: IdentityClaim | undefined;
  messages: { role: 'user' | 'assistant'; content: string }[];
};

/** A request that passed every check that can reject it. */
export interface PreparedTurn {
  agent: Agent;
  key: KeyAccess;
  request: TurnRequest;
  /** Undefined when the turn starts a conversation. */
  conversation: Conversation | undefined;
  identity: Identity | undefined;
  visitOrigin: VisitOrigin;
  /** The id of the request, for the log. */
  requestId?: string;
  /** The channel of a conversation that the turn starts. The default is `api`. */
  channel?: Channel;
}

export type TurnSteps = AsyncGenerator<TurnEvent, ChatResponse | undefined>;

export const prepareTurn = async (
  context: TurnContext,
  key: KeyAccess,
  agent: Agent,
  request: TurnRequest,
  visitOrigin: VisitOrigin,
): Promise<PreparedTurn> => {
  if (agent.status === 'retired') throw new ApiError('not_found');
  if (agent.status === 'paused') throw new ApiError('agent_unavailable');
  const claimedIdentity = () => (request.contact ? identify(context, agent.id, request.contact) : undefined);
  const { conversation_id: id, conversation_token: token } = request;
  if (id === undefined) {
    return { agent, key, request, visitOrigin, conversation: undefined, identity: await claimedIdentity() };
  }
  const conversation = await findConversation(context.db, key, agent.id, id, token);
  const identity = await claimedIdentity();
  await requireUsable(context, conversation, identity);
  return { agent, key, request, visitOrigin, conversation, identity };
};

const requireUsable = async ({ db, now }: TurnContext, conversation: Conversation, identity?: Identity) => {
  if (hasEnded(conversation, now())) throw new ApiError('conversation_expired');
  if (identity) await requireSameContact(db, conversation, identity);
};

/**
 * Yields the events of a stream and returns the whole response. When `signal` aborts because the visitor has left, the
 * turn stops and returns undefined. The streamed text of the reply is stored without an outcome, so that the visitor's
 * next message continues from what they saw.
 */
export async function* runTurn(
  context: TurnContext,
  prepared: PreparedTurn,
  signal: AbortSignal,
  call: RepeatableCall<ChatResponse> = unrepeatableCall,
): TurnSteps {
  const observation = context.observer.start('turn');
  const stages = startStages();
  const turn = runQueuedTurn(context, prepared, { signal, call, stages });
  let labels = { outcome: 'error', degraded: false };
  let hasText = false;
  let conversationId = prepared.conversation?.id;
  try {
    let step = await observation.run(() => turn.next());
    while (!step.done) {
      const { type } = step.value;
      if (type === 'delta') observation.markFirstText();
      if (!hasText) stages.end('composing');
      hasText ||= type === 'delta';
      yield step.value;
      step = await observation.run(() => turn.next());
      if (type === 'client_tool') stages.end('tools');
    }
    labels = { outcome: 'interrupted', degraded: false };
    conversationId = step.value?.conversation_id ?? conversationId;
    if (step.value) labels = { outcome: step.value.outcome ?? 'no_reply', degraded: step.value.degraded };
    return step.value;
  } catch (error) {
    // A rejection is no failure of the service.
    if (error instanceof ApiError) labels = { outcome: 'rejected', degraded: false };
    throw error;
  } finally {
    // The caller may have left before the end.
    await turn.return(undefined);
    for (const [stage, took] of Object.entries(stages.milliseconds)) observation.markStage(stage, took / 1000);
    observation.end(labels);
    logTurn(context, prepared, { conversationId, labels, stages });
  }
}

interface EndedTurn {
  conversationId: string | undefined;
  labels: { outcome: string; degraded: boolean };
  stages: Stages;
}

/** The conversation is hashed, because its id belongs to a visitor. */
const logTurn = (
  { log }: TurnContext,
  { requestId, agent }: PreparedTurn,
  { conversationId, labels, stages: { milliseconds: stages } }: EndedTurn,
): void => {
  const milliseconds = Object.values(stages).reduce((total, each) => total + each, 0);
  const hash = conversationId === undefined ? {} : { conversation_hash: sha256(conversationId).slice(0, 16) };
  const request = requestId === undefined ? {} : { request_id: requestId };
  log({ level: 'info', event: 'turn', ...request, agent_id: agent.id, ...hash, ...labels, milliseconds, stages });
};

/** What accompanies a turn from its call. */
interface TurnCall {
  signal: AbortSignal;
  call: RepeatableCall<ChatResponse>;
  stages: Stages;
}

/** Waits for the earlier turns of the conversation, then runs the turn. */
async function* runQueuedTurn(
  context: TurnContext,
  prepared: PreparedTurn,
  { signal, call, stages }: TurnCall,
): TurnSteps {
  const { agent, key, request, visitOrigin, channel, conversation: continued } = prepared;
  const language = languageOf(request.messages.at(-1)!.content) ?? continued?.language ?? request.locale ?? 'en';
  const { acquired, token } = continued
    ? { acquired: await context.turns.acquire(continued.id, signal), token: undefined }
    : await startTurn(context, { key, agent, language, visitOrigin, channel, idSeed: call.idSeed }, signal);
  stages.end('waiting');
  if (!acquired) return undefined;
  const turn: ActiveTurn = { prepared, acquired, language, token, call, stages, isConcluded: false };
  try {
    // While this turn waited for the turns before it, the conversation may have ended, or become another person's.
    await requireUsable(context, acquired.conversation, prepared.identity);
    return yield* runActiveTurn(context, turn, signal);
  } finally {
    await acquired.release(turn.isConcluded);
  }
}

/** The service stopped before the turn ended. */
export class TurnInterruptedError extends Error {
  constructor() {
    super('The service stopped before the turn ended.');
    this.name = 'TurnInterruptedError';
  }
}

/** A plain call failed after its message may have been stored, and has no Idempotency-Key to repeat it with. */
export class UnrepeatableTurnError extends Error {
  constructor(cause: unknown) {
    super('The turn failed after its message may have been stored.', { cause });
    this.name = 'UnrepeatableTurnError';
  }
}

/** Runs a turn to its end without using its events. */
export const responseOf = async (turn: TurnSteps): Promise<ChatResponse> => {
  let step = await turn.next();
  while (!step.done) step = await turn.next();
  if (!step.value) throw new TurnInterruptedError();
  return step.value;
};

/** A turn that holds its conversation. */
interface ActiveTurn {
  prepared: PreparedTurn;
  acquired: AcquiredTurn;
  language: Language;
  /** Only when the turn started the conversation with a publishable key. */
  token: string | undefined;
  call: RepeatableCall<ChatResponse>;
  stages: Stages;
  /** Whether the reply is stored, and the lease has ended with it. */
  isConcluded: boolean;
}

async function* runActiveTurn(context: TurnContext, turn: ActiveTurn, signal: AbortSignal): TurnSteps {
  const { prepared, stages } = turn;
  const { conversation } = turn.acquired;
  const stored = await storeMessage(context, turn);
  stages.end('storing');
  if (conversation.state === 'human_active') return responseWithoutReply(turn);

  // Before the quota is reserved, because a reply that cannot be prepared does not count.
  const replyTurn = await createReplyTurn(context, turn, stored, signal);
  stages.end('preparing');
  const isReserved = await reserveQuota(context, conversation);
  stages.end('quota');
  if (!isReserved) {
    const text = sentences[turn.language].monthFull;
    yield { type: 'delta', text };
    return conclude(context, turn, { text, details: { outcome: 'limit', sources: [] }, limit: 'monthly' }, signal);
  }

  const { key, request } = prepared;
  const token = turn.token ?? (key.kind === 'publishable' ? request.conversation_token : undefined);
  const isStreamed = request.stream === true;
  const reply = yield* streamReply(context, { turn: replyTurn, conversation, token, isStreamed });
  stages.end('streaming');
  if (!reply) return undefined;
  const response = await conclude(context, turn, { ...reply, limit: null }, signal);
  stages.end('saving');
  return response;
}

interface StoredTurn {
  history: Turn['history'];
  contact: Contact | undefined;
}

/** Stores the visitor's message and links the conversation to its contact. */
const storeMessage = async (context: TurnContext, turn: ActiveTurn): Promise<StoredTurn> => {
  const { request, conversation: continued, identity } = turn.prepared;
  const { acquired, language, call } = turn;
  const { conversation } = acquired;
  const text = request.messages.at(-1)!.content;
  const earlier = await addVisitorMessage(context, conversation, text, language, call.idSeed);
  return {
    history: continued ? earlier : request.messages.slice(0, -1).slice(-historyLength),
    contact: await contactOf(context, conversation, identity),
  };
};

/** The contact that the visitor has proven to be, in this turn or in an earlier one. */
const contactOf = async (context: TurnContext, conversation: Conversation, identity: Identity | undefined) => {
  if (identity) return linkContact(context, conversation, identity);
  if (conversation.contactId === null) return undefined;
  return context.db.query.contacts.findFirst({ where: (table) => eq(table.id, conversation.contactId!) });
};

/** Collects what the reply source needs for this turn. */
const createReplyTurn = async (
  context: TurnContext,
  { prepared, acquired: { conversation }, language, call }: ActiveTurn,
  { history, contact }: StoredTurn,
  signal: AbortSignal,
): Promise<Turn> => {
  const { agent, request, conversation: continued } = prepared;
  const notes = contact && !continued ? await contactNotes(context.db, contact.id, agent.id) : [];
  return {
    agent,
    question: request.messages.at(-1)!.content,
    language,
    history,
    isHandoffRequested: conversation.state === 'handoff_requested',
    contact: contact && { name: contact.name, notes },
    actions: await usableActions(context.db, agent, request, contact),
    effects: createReplyEffects(context, conversation, language, contact, call.idSeed),
    now: context.now(),
    chunkDelay: request.stream ? context.chunkDelay() : 0,
    signal,
  };
};

interface Conclusion {
  text: string;
  details: ReplyDetails;
  limit: 'monthly' | null;
}

/** Stores the reply and returns the response of the call. */
const conclude = async (
  context: TurnContext,
  turn: ActiveTurn,
  { text, details, limit }: Conclusion,
  signal: AbortSignal,
): Promise<ChatResponse> => {
  const { db } = context;
  const { acquired, language, call } = turn;
  const message = newReply(context, text, language, details);
  const conclusion = async (tx: Db): Promise<ChatResponse> => {
    const concluded = await concludeReply(tx, acquired, message);
    if (!concluded) throw await lossOf(tx, acquired.conversation);
    return {
      ...credentials(turn),
      message: serializeChatMessage(message),
      outcome: details.outcome,
      refused: details.outcome === 'refused',
      sources: details.sources,
      state: concluded.state,
      lead_captured: concluded.leadCaptured,
      limit,
      degraded: details.degraded ?? false,
    };
  };
  const save = async () =>
    call.idSeed === undefined
      ? conclusion(db)
      : db.transaction(async (tx) => call.saveResponse(tx, await conclusion(tx)));
  // The visitor may have the reply already. A short outage of the database must not lose it.
  const response = await untilAvailable(save, signal);
  turn.isConcluded = true;
  return response;
};

/** The response while a person of the team replies instead of the assistant. */
const responseWithoutReply = (turn: ActiveTurn): ChatResponse => {
  return {
    ...credentials(turn),
    message: null,
    outcome: null,
    refused: false,
    sources: [],
    state: 'human_active',
    limit: null,
    degraded: false,
    lead_captured: turn.acquired.conversation.leadCaptured,
  };
};

const credentials = ({ acquired: { conversation }, token }: ActiveTurn) => {
  return { conversation_id: conversation.id, ...(token === undefined ? {} : { conversation_token: token }) };
};
