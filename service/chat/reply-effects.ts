/** Stores the effects of a reply: form submissions with their leads, bookings, action calls and handoff requests. */
import { and, eq } from 'drizzle-orm';
import type { JsonObject } from '../../contract/wire.ts';
import { recordCall, runAction, type ActionContext } from '../actions/calls.ts';
import { derivedId, newId } from '../core/ids.ts';
import type { Language } from '../core/language.ts';
import type { DatabaseContext } from '../db/database.ts';
import type { Contact, Conversation } from '../db/records.ts';
import { keepAction, keepContact } from '../db/row-locks.ts';
import { bookings, leads, submissions } from '../db/schema.ts';
import { inTurn } from '../db/turn-lease.ts';
import { emit } from '../events/emit.ts';
import type { Action, ReplyEffects } from '../replies/reply-source.ts';
import { serializeSubmission } from '../resources/submission.ts';
import { captureLead } from './capture-lead.ts';
import { requestHandoff } from './conversations.ts';
import { knownLeadValues } from './lead-fields.ts';

export const createReplyEffects = (
  context: ActionContext,
  conversation: Conversation,
  language: Language,
  contact: Contact | undefined,
  idSeed?: string,
): ReplyEffects => {
  const callIdOf = createCallIds(idSeed);
  return {
    saveSubmission: (action, formMessageId, data) =>
      saveSubmission(context, conversation, { action, formMessageId, data, language, contact }),
    book: (action, startsAt, endsAt) => book(context, conversation, { action, startsAt, endsAt }),
    runAction: (action, args) =>
      runAction(context, { id: callIdOf(action), actionId: action.id, args }, conversation, contact),
    requestHandoff: () => requestHandoff(context, conversation),
  };
};

/** Ids for the calls of a turn. `idSeed`: see `RepeatableCall`. In a second attempt, the calls of each action have the same ids. */
const createCallIds = (idSeed: string | undefined) => {
  const calls = new Map<string, number>();
  return ({ id }: Action): string => {
    if (idSeed === undefined) return newId('acl');
    const number = (calls.get(id) ?? 0) + 1;
    calls.set(id, number);
    return derivedId('acl', `${idSeed} ${id} ${number}`);
  };
};

interface Submission {
  action: Action;
  formMessageId: string;
  data: JsonObject;
  language: Language;
  contact: Contact | undefined;
}

const saveSubmission = async (
  { db, now }: DatabaseContext,
  conversation: Conversation,
  { action, formMessageId, data, language, contact }: Submission,
): Promise<void> => {
  const { id: conversationId, workspaceId, agentId } = conversation;
  const at = new Date(now());
  await inTurn(db, conversation, async (tx) => {
    if (!(await keepAction(tx, action.id))) return;
    const owner = contact && (await keepContact(tx, contact.id)) ? contact : undefined;
    const [submission] = await tx
      .insert(submissions)
      .values({ id: newId('sub'), agentId, actionId: action.id, conversationId, formMessageId, data, createdAt: at })
      .onConflictDoNothing()
      .returning();
    if (!submission) return;
    await recordCall(tx, action, conversation, { outcome: 'worked', inputs: Object.keys(data) }, at);
    const serialized = serializeSubmission({ submission, action: { id: action.id, name: action.name } });
    await emit(tx, { workspaceId, agentId, type: 'form.submitted', data: serialized, at });
    if (action.config['lead'] === true) {
      const leadData = { ...knownLeadValues(owner), ...data };
      await captureLead(tx, conversation, { action, data: leadData, language, at, contact: owner });
    }
  });
};

/** Returns whether the visitor has the place. A repeated request for a place that is theirs returns true. */
const book = async (
  { db, now }: DatabaseContext,
  conversation: Conversation,
  { action, startsAt, endsAt }: { action: Action; startsAt: Date; endsAt: Date },
): Promise<boolean> => {
  const at = new Date(now());
  const conversationId = conversation.id;
  return inTurn(db, conversation, async (tx) => {
    if (!(await keepAction(tx, action.id))) return false;
    const isOwn = eq(leads.conversationId, conversationId);
    const [lead] = await tx.select({ id: leads.id }).from(leads).where(isOwn).limit(1).for('key share');
    const place = { actionId: action.id, conversationId, leadId: lead?.id ?? null, startsAt, endsAt };
    const inserted = await tx
      .insert(bookings)
      .values({ ...place, id: newId('bkg'), createdAt: at })
      .onConflictDoNothing()
      .returning({ id: bookings.id });
    const isBooked = inserted.length > 0;
    const [existing] = await tx
      .select({ conversationId: bookings.conversationId })
      .from(bookings)
      .where(and(eq(bookings.actionId, action.id), eq(bookings.startsAt, startsAt)));
    if (!isBooked && existing?.conversationId === conversationId) return true;
    const vendor = action.config['vendor'];
    const detail = typeof vendor === 'string' ? { vendor } : {};
    const result = isBooked ? { outcome: 'worked' as const } : { outcome: 'failed' as const, reason: 'closed' };
    await recordCall(tx, action, conversation, { ...result, inputs: ['start'], detail }, at);
    return isBooked;
  });
};
