/** One turn of a conversation: the visitor's message is stored, answered, and the answer stored. */
import { and, eq } from 'drizzle-orm';
import type { ChatRequest, ChatResponse, ClientToolCall, FormField } from '../../contract/wire.ts';
import { recordCall } from '../actions/calls.ts';
import type { Action, Answer, Step, ToolOutcome } from '../replies/reply-source.ts';
import { languageOf } from '../core/language.ts';
import { sentences } from '../replies/sentences.ts';
import type { Db } from '../db/open.ts';
import type { Language } from '../core/language.ts';
import { actions } from '../db/schema.ts';
import type { ApiKey, Dependencies } from '../http/environment.ts';
import { ApiError } from '../core/errors.ts';
import { unheld, type Hold } from '../http/idempotency.ts';
import { identify, type Claim, type Identity } from '../contacts/identity.ts';
import { contactNotes, linkContact, requireSameContact } from '../contacts/link-contact.ts';
import type { Contact } from '../resources/contact.ts';
import { releaseQuota, reserveQuota, emitThresholdEvents } from './quota.ts';
import { leadFormFields } from './lead-fields.ts';
import { createReplyEffects } from './reply-effects.ts';
import {
  addReply,
  addVisitorMessage,
  currentState,
  findConversation,
  hasEnded,
  messagesBefore,
  startConversation,
  type Agent,
  type Conversation,
  type StoredMessage,
} from './conversations.ts';
import type { VisitOrigin } from './visit-origin.ts';

type Running = AsyncGenerator<TurnEvent, ChatResponse | undefined>;

export type TurnEvent = { type: 'delta'; text: string } | { type: 'client_tool'; call: ClientToolCall };

/** A chat request once read; what an app of its own passes as earlier messages may hold answers too. */
export type TurnRequest = Omit<ChatRequest, 'messages' | 'contact'> & {
  contact?: Claim | undefined;
  messages: { role: 'user' | 'assistant'; content: string }[];
};

/** Everything that can refuse a turn has been asked: what is left may only fail. */
export interface PreparedTurn {
  agent: Agent;
  key: ApiKey;
  request: TurnRequest;
  /** Absent: the turn starts one. */
  conversation: Conversation | undefined;
  identity: Identity | undefined;
  cameFrom: VisitOrigin;
}

export const prepareTurn = async (
  dependencies: Dependencies,
  key: ApiKey,
  agent: Agent,
  request: TurnRequest,
  cameFrom: VisitOrigin,
): Promise<PreparedTurn> => {
  if (agent.status === 'retired') throw new ApiError('not_found');
  if (agent.status === 'paused') throw new ApiError('agent_unavailable');
  const claimed = () => (request.contact ? identify(dependencies, agent.id, request.contact) : undefined);
  if (request.conversation_id === undefined) {
    return { agent, key, request, cameFrom, conversation: undefined, identity: await claimed() };
  }
  const conversation = await findConversation(
    dependencies.db,
    key,
    agent.id,
    request.conversation_id,
    request.conversation_token,
  );
  if (hasEnded(conversation, dependencies.now())) throw new ApiError('conversation_expired');
  const identity = await claimed();
  if (identity) await requireSameContact(dependencies.db, conversation, identity);
  return { agent, key, request, cameFrom, conversation, identity };
};

/**
 * Yields what a stream tells on the way and returns the whole answer. When `signal` aborts (the visitor has left), the
 * work stops; what had been said by then is kept as an answer without an outcome, so that the visitor's next message
 * continues from what they really saw. A turn under an Idempotency-Key (`hold`) keeps its answer with the message.
 */
export async function* runTurn(
  dependencies: Dependencies,
  prepared: PreparedTurn,
  signal: AbortSignal,
  hold: Hold<ChatResponse> = unheld,
): Running {
  const { agent, key, request, cameFrom, conversation: continued } = prepared;
  const language = languageOf(request.messages.at(-1)!.content) ?? continued?.language ?? request.locale ?? 'en';
  const started = continued
    ? undefined
    : await startConversation(dependencies, { key, agent, language, cameFrom, seed: hold.seed });
  const taken = await dependencies.turns.take((continued ?? started!.conversation).id, signal);
  if (!taken) return undefined;
  try {
    // It may have ended while the turns before this one ran.
    if (hasEnded(taken.conversation, dependencies.now())) throw new ApiError('conversation_expired');
    return yield* answerIn(
      dependencies,
      prepared,
      { conversation: taken.conversation, language, token: started?.token, hold },
      signal,
    );
  } finally {
    await taken.release();
  }
}

interface Setting {
  conversation: Conversation;
  language: Language;
  /** Only when the turn started the conversation. */
  token: string | undefined;
  hold: Hold<ChatResponse>;
}

async function* answerIn(
  dependencies: Dependencies,
  { agent, key, request, conversation: continued, identity }: PreparedTurn,
  { conversation, language, token, hold }: Setting,
  signal: AbortSignal,
): Running {
  const { db } = dependencies;
  const question = request.messages.at(-1)!.content;
  const asked = await addVisitorMessage(dependencies, conversation, question, language, hold.seed);
  const before = continued ? await messagesBefore(db, asked) : request.messages.slice(0, -1);
  const contact = await contactOf(dependencies, conversation, identity);
  const base = {
    conversation_id: conversation.id,
    ...(token === undefined ? {} : { conversation_token: token }),
  };
  if (conversation.state === 'human_active') {
    return { ...base, ...withPerson, lead_captured: conversation.leadCaptured };
  }

  const conclude = (text: string, answer: Answer, limit: 'monthly' | null) =>
    db.transaction(async (tx) => {
      const stored = await addReply({ ...dependencies, db: tx }, conversation, text, language, answer);
      return hold.keep(tx, {
        ...base,
        message: serialiseMessage(stored),
        outcome: answer.outcome,
        refused: answer.outcome === 'refused',
        sources: answer.sources,
        ...(await currentState(tx, conversation.id)),
        limit,
        degraded: answer.degraded ?? false,
      });
    });

  if (!(await reserveQuota(dependencies, conversation))) {
    const text = sentences[language].monthFull;
    yield { type: 'delta', text };
    return conclude(text, { outcome: 'limit', sources: [] }, 'monthly');
  }

  const answering = dependencies.replySource.answer({
    agent: { id: agent.id, name: agent.name, timeZone: agent.timeZone },
    question,
    language,
    history: before,
    isHandoffRequested: conversation.state === 'handoff_requested',
    contact: contact && {
      name: contact.name,
      notes: continued ? [] : await contactNotes(db, contact.id, agent.id),
    },
    actions: await usableActions(db, agent.id, request, contact),
    keep: createReplyEffects(dependencies, conversation, language, contact),
    now: dependencies.now(),
    chunkDelay: request.stream ? dependencies.chunkDelay : 0,
    signal,
  });
  let said = '';
  let answer: Answer | undefined;
  try {
    let outcome: ToolOutcome | undefined;
    while (!signal.aborted) {
      const step = await answering.next(outcome);
      outcome = undefined;
      if (step.done) {
        answer = step.value;
        break;
      } else if (signal.aborted) {
        break;
      } else if (step.value.type === 'text') {
        said += step.value.text;
        yield { type: 'delta', text: step.value.text };
      } else {
        const call = await dependencies.toolCalls.open(
          conversation.id,
          step.value.action,
          step.value.arguments,
          signal,
        );
        const known = token ?? (key.kind === 'publishable' ? request.conversation_token : undefined);
        yield {
          type: 'client_tool',
          call: {
            conversation_id: conversation.id,
            ...(known === undefined ? {} : { conversation_token: known }),
            call_id: call.id,
            name: call.name,
            arguments: call.arguments,
            timeout_ms: call.timeoutMs,
          },
        };
        outcome = await call.outcome;
        await recordTool(dependencies, conversation, step.value, outcome);
      }
    }
  } finally {
    if (!answer) {
      if (said.trim() === '') await releaseQuota(dependencies, conversation);
      else await addReply(dependencies, conversation, said, language);
      // Not awaited: a generator that is itself waiting would never settle it.
      void answering.return(undefined).catch(() => {});
    }
  }
  if (!answer) return undefined;

  const concluded = await conclude(answer.text ?? said, answer, null);
  if (!conversation.countedAt) await emitThresholdEvents(dependencies, conversation.workspaceId);
  return concluded;
}

const recordTool = async (
  { db, now }: Dependencies,
  conversation: Conversation,
  { action, arguments: args }: Extract<Step, { type: 'tool' }>,
  outcome: ToolOutcome,
): Promise<void> => {
  const inputs = Object.keys(args);
  const told = outcome.ok ? { outcome: 'worked' as const } : { outcome: 'failed' as const, reason: outcome.reason };
  await db.transaction((tx) => recordCall(tx, action, conversation, { ...told, inputs }, new Date(now())));
};

/** Who the visitor has proven to be, now or earlier in the conversation. */
const contactOf = async (dependencies: Dependencies, conversation: Conversation, identity: Identity | undefined) => {
  if (identity) return linkContact(dependencies, conversation, identity);
  if (conversation.contactId === null) return undefined;
  return dependencies.db.query.contacts.findFirst({ where: (table) => eq(table.id, conversation.contactId!) });
};

/** What a turn comes to while a person answers. */
const withPerson = {
  message: null,
  outcome: null,
  refused: false,
  sources: [],
  state: 'human_active',
  limit: null,
  degraded: false,
} satisfies Partial<ChatResponse>;

/** A client tool is usable when the owner declared it and the visitor's app offered it, on a streamed call. */
const usableActions = async (
  db: Db,
  agentId: string,
  request: TurnRequest,
  contact: Contact | undefined,
): Promise<Action[]> => {
  const offered = new Set(request.stream ? request.client_tools : []);
  const enabled = await db
    .select()
    .from(actions)
    .where(and(eq(actions.agentId, agentId), eq(actions.enabled, true)));
  const usable = enabled.filter((action) => action.kind !== 'client_tool' || offered.has(action.name));
  return usable.some(asksForLead) ? withLeadFields(usable, await leadFormFields(db, agentId, contact)) : usable;
};

/** A lead form without fields of its own asks for what the owner arranged for every lead. */
const asksForLead = ({ kind, config }: Action): boolean => {
  return kind === 'collect_data' && config['lead'] === true && config['fields'] === undefined;
};

const withLeadFields = (usable: Action[], fields: FormField[]): Action[] => {
  return usable.map((action) => (asksForLead(action) ? { ...action, config: { ...action.config, fields } } : action));
};

const serialiseMessage = (message: StoredMessage): NonNullable<ChatResponse['message']> => {
  const language: Language = message.language;
  return {
    id: message.id,
    role: message.role,
    content: message.content,
    actor_type: message.actorType,
    blocks: message.blocks,
    lang: language,
    created_at: message.createdAt.toISOString(),
  };
};
