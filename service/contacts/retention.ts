/**
 * Deletes conversations that ended long ago, with everything that was written in them, and contacts of whom nothing else is
 * stored. Both are off unless the operator or the workspace sets a number of days. The counts of `/usage` stay.
 */
import { and, eq, inArray, lt, sql, type SQL } from 'drizzle-orm';
import type { Log } from '../core/log.ts';
import { queryRows, type DatabaseContext, type Db } from '../db/database.ts';
import { eventRetentionDays } from '../db/retention.ts';
import { agents, bookings, contacts, conversations, events, memories, tickets, workspaces } from '../db/schema.ts';
import { lockContacts, removeContact } from './contacts.ts';
import { eventsOf, rowsOfConversations, type PersonalRows } from './personal-data.ts';

/** 0 keeps everything. */
export interface RetentionDays {
  conversations: number;
  contacts: number;
}

export const keepsAll: RetentionDays = { conversations: 0, contacts: 0 };
/** A hundred years. */
export const maxRetentionDays = 36_500;

const dayMs = 86_400_000;
/** Conversations or notes that one transaction deletes. */
const batchSize = 50;
/** Contacts that one transaction deletes. Calls that save a contact of the workspace wait for it. */
const contactsAtOnce = 5;
/** Batches of a workspace in a run. The rest waits for the next run, so that a run does not delay a shutdown for long. */
const maxBatches = 20;

/** The number of deleted rows by their kind. */
export type ErasedRows = Record<string, number>;

type Workspace = typeof workspaces.$inferSelect;

export const retentionOf = (workspace: Workspace, defaults: RetentionDays): RetentionDays => ({
  conversations: workspace.conversationRetentionDays ?? defaults.conversations,
  contacts: workspace.contactRetentionDays ?? defaults.contacts,
});

/** Deletes what is due in every workspace. Returns false when some of it waits for the next run. */
export const eraseExpired = async (
  { db, now, log }: DatabaseContext & { log: Log },
  defaults: RetentionDays,
): Promise<boolean> => {
  let isComplete = true;
  for (const workspace of await db.select().from(workspaces)) {
    const { id } = workspace;
    const erased: ErasedRows = {};
    const days = retentionOf(workspace, defaults);
    const steps = [eraseConversations, eraseNotes, eraseContacts];
    for (const step of steps) {
      for (let batch = 0; ; batch++) {
        const isLast = await db.transaction((tx) => step(tx, { workspaceId: id, days, now: now(), erased }));
        if (isLast) break;
        if (batch + 1 === maxBatches) {
          isComplete = false;
          break;
        }
      }
    }
    if (Object.keys(erased).length > 0) log({ level: 'info', event: 'retention', workspace_id: id, ...erased });
  }
  return isComplete;
};

/** Counts what the retention would delete now, and deletes nothing. */
export const countExpired = async (
  { db, now }: DatabaseContext,
  workspaceId: string,
  days: RetentionDays,
): Promise<ErasedRows> => {
  const scope = { workspaceId, days, now: now() };
  const ended = db.select({ id: conversations.id }).from(conversations).where(endedConversations(scope));
  const ofEnded = db.select({ id: tickets.id }).from(tickets).where(inArray(tickets.conversationId, ended));
  const counts: ErasedRows = {};
  const count = async (section: string, rows: Pick<PersonalRows, 'table' | 'where'>) => {
    counts[section] = await db.$count(rows.table, rows.where);
  };
  if (days.conversations > 0) {
    await count('conversations', { table: conversations, where: endedConversations(scope) });
    for (const rows of rowsToErase(rowsOfConversations(ended, ofEnded), scope)) await count(rows.section, rows);
    if (hasEvents(days.conversations))
      await count('events', { table: events, where: and(isOf(workspaceId), eventsOf(ended)) });
    await count('notes', { table: memories, where: oldNotes(scope) });
  }
  if (days.contacts > 0) await count('contacts', { table: contacts, where: unusedContacts(scope) });
  return counts;
};

interface Scope {
  workspaceId: string;
  days: RetentionDays;
  now: number;
}

interface Run extends Scope {
  erased: ErasedRows;
}

/** Returns whether the batch was the last one. */
const eraseConversations = async (tx: Db, run: Run): Promise<boolean> => {
  if (run.days.conversations === 0) return true;
  const found = await tx
    .select({ id: conversations.id })
    .from(conversations)
    .where(endedConversations(run))
    .orderBy(conversations.id)
    .limit(batchSize)
    .for('update', { skipLocked: true });
  const ids = found.map(({ id }) => id);
  if (ids.length === 0) return true;
  const ofFound = await tx.select({ id: tickets.id }).from(tickets).where(inArray(tickets.conversationId, ids));
  const ticketIds = ofFound.map(({ id }) => id);
  for (const { section, table, where } of rowsToErase(rowsOfConversations(ids, ticketIds), run)) {
    add(run.erased, section, await deleteRows(tx, table, where));
  }
  if (hasEvents(run.days.conversations)) {
    const where = and(isOf(run.workspaceId), eventsOf([...ids, ...ticketIds]));
    add(run.erased, 'events', await deleteRows(tx, events, where));
  }
  add(run.erased, 'conversations', await deleteRows(tx, conversations, inArray(conversations.id, ids)));
  return ids.length < batchSize;
};

/** The notes of contacts are summaries of their conversations. */
const eraseNotes = async (tx: Db, run: Run): Promise<boolean> => {
  if (run.days.conversations === 0) return true;
  const found = tx.select({ id: memories.id }).from(memories).where(oldNotes(run)).limit(batchSize);
  const total = await deleteRows(tx, memories, inArray(memories.id, found));
  add(run.erased, 'notes', total);
  return total < batchSize;
};

const eraseContacts = async (tx: Db, run: Run): Promise<boolean> => {
  if (run.days.contacts === 0) return true;
  await lockContacts(tx, run.workspaceId);
  const found = await tx
    .select()
    .from(contacts)
    .where(unusedContacts(run))
    .limit(contactsAtOnce)
    .for('update', { skipLocked: true });
  if (found.length === 0) return true;
  if (hasEvents(run.days.contacts)) {
    const where = and(isOf(run.workspaceId), eventsOf(found.map(({ id }) => id)));
    add(run.erased, 'events', await deleteRows(tx, events, where));
  }
  for (const contact of found) await removeContact(tx, contact);
  add(run.erased, 'contacts', found.length);
  return found.length < contactsAtOnce;
};

const before = (now: number, days: number): Date => new Date(now - days * dayMs);

/** A conversation ends 24 hours after its start. One whose ticket the team still works on stays. */
const endedConversations = ({ workspaceId, days, now }: Scope): SQL | undefined => {
  const end = before(now, days.conversations);
  return and(
    eq(conversations.workspaceId, workspaceId),
    lt(conversations.expiresAt, end),
    sql`coalesce(${conversations.lastMessageAt}, ${conversations.startedAt}) < ${end.toISOString()}::timestamptz`,
    sql`not exists (select 1 from ${tickets} where ${tickets.conversationId} = ${conversations.id}
      and (${tickets.status} <> 'closed' or ${tickets.updatedAt} >= ${end.toISOString()}::timestamptz))`,
  );
};

/** A booked time that is not over stays. */
const rowsToErase = (rows: PersonalRows[], { now }: Scope): PersonalRows[] =>
  rows.map((each) =>
    each.table === bookings ? { ...each, where: and(each.where, lt(bookings.endsAt, new Date(now))) } : each,
  );

const oldNotes = ({ workspaceId, days, now }: Scope): SQL | undefined =>
  and(
    lt(memories.createdAt, before(now, days.conversations)),
    sql`${memories.agentId} in (select ${agents.id} from ${agents} where ${agents.workspaceId} = ${workspaceId})`,
  );

const unusedContacts = ({ workspaceId, days, now }: Scope): SQL | undefined => {
  const end = before(now, days.contacts);
  return and(
    eq(contacts.workspaceId, workspaceId),
    lt(contacts.lastSeenAt, end),
    lt(contacts.updatedAt, end),
    ...['conversations', 'leads', 'tickets'].map(
      (table) => sql`not exists (select 1 from ${sql.identifier(table)} as own where own.contact_id = ${contacts.id})`,
    ),
  );
};

const isOf = (workspaceId: string): SQL => eq(events.workspaceId, workspaceId);

/** Whether events about something that ended that long ago may still be stored. Without this, each batch reads all events. */
const hasEvents = (days: number): boolean => days <= eventRetentionDays;

const deleteRows = async (tx: Db, table: PersonalRows['table'], where: SQL | undefined): Promise<number> => {
  const deleted = await queryRows<object>(tx, sql`delete from ${table} where ${where ?? sql`false`} returning 1`);
  return deleted.length;
};

const add = (erased: ErasedRows, section: string, total: number): void => {
  if (total > 0) erased[section] = (erased[section] ?? 0) + total;
};
