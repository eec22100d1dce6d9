/**
 * The rows that the service stores about a person, in one list. Erasure deletes these rows, and an export contains them. A new
 * table with data of visitors gets an entry here.
 */
import { and, eq, inArray, isNull, or, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Contact, Conversation } from '../db/records.ts';
import {
  actionCalls,
  bookings,
  contacts,
  conversations,
  events,
  idempotencyKeys,
  leads,
  memories,
  messages,
  submissions,
  tickets,
  toolCalls,
} from '../db/schema.ts';
import { memberOf, savedResponsesOf, type Traces } from './traces.ts';

export type PersonalSection =
  | ('contact' | 'conversations' | 'claims' | 'messages' | 'tickets' | 'leads' | 'submissions' | 'bookings')
  | ('notes' | 'action_calls' | 'tool_calls' | 'events' | 'saved_responses');

/** Ids, or a query that selects them. */
type Ids = string[] | SQLWrapper;

export interface PersonalRows {
  section: PersonalSection;
  table: PgTable;
  where: SQL | undefined;
  order: PgColumn[];
  /** The rows stay, with these values. */
  emptied?: Partial<Conversation>;
  /** The members that belong to the person, if not all do. */
  members?: string[];
}

/**
 * An empty conversation stays, because lists and the counts of an agent include it. A turn in flight loses its lease, so that it
 * stores nothing.
 */
const emptyConversation = {
  state: 'closed' as const,
  tokenHash: null,
  claim: null,
  summary: null,
  pageUrl: null,
  utm: {},
  referrer: '',
  turnHolder: null,
  turnUntil: null,
};

/** In an order in which the rows can be deleted. */
export const personalRows = (contact: Contact, traces: Traces): PersonalRows[] => {
  const { conversationIds, claimIds, leadIds, ticketIds } = traces;
  const ids = [contact.id, ...conversationIds, ...leadIds, ...ticketIds];
  const isOfWorkspace = eq(events.workspaceId, contact.workspaceId);
  const ofConversations = inArray(leads.conversationId, conversationIds);
  return [
    ...rowsOfConversations(conversationIds, ticketIds),
    {
      section: 'events',
      table: events,
      where: and(isOfWorkspace, eventsOf(ids)),
      order: [events.createdAt, events.id],
    },
    {
      section: 'saved_responses',
      table: idempotencyKeys,
      where: savedResponsesOf(ids),
      order: [idempotencyKeys.createdAt, idempotencyKeys.key],
    },
    {
      section: 'claims',
      table: conversations,
      where: inArray(conversations.id, claimIds),
      order: [conversations.startedAt, conversations.id],
      emptied: { claim: null },
      members: ['id', 'startedAt', 'claim'],
    },
    {
      section: 'conversations',
      table: conversations,
      where: inArray(conversations.id, conversationIds),
      order: [conversations.startedAt, conversations.id],
      emptied: emptyConversation,
    },
    {
      section: 'notes',
      table: memories,
      where: eq(memories.contactId, contact.id),
      order: [memories.createdAt, memories.id],
    },
    {
      section: 'leads',
      table: leads,
      where: or(eq(leads.contactId, contact.id), and(ofConversations, isNull(leads.contactId))),
      order: [leads.createdAt, leads.id],
    },
    { section: 'contact', table: contacts, where: eq(contacts.id, contact.id), order: [contacts.id] },
  ];
};

/** What visitors and the team wrote in conversations, and the tickets about them. */
export const rowsOfConversations = (conversationIds: Ids, ticketIds: Ids): PersonalRows[] => [
  {
    section: 'action_calls',
    table: actionCalls,
    where: or(inArray(actionCalls.conversationId, conversationIds), inArray(actionCalls.ticketId, ticketIds)),
    order: [actionCalls.at, actionCalls.id],
  },
  {
    section: 'tickets',
    table: tickets,
    where: inArray(tickets.id, ticketIds),
    order: [tickets.createdAt, tickets.id],
  },
  {
    section: 'submissions',
    table: submissions,
    where: inArray(submissions.conversationId, conversationIds),
    order: [submissions.createdAt, submissions.id],
  },
  {
    section: 'bookings',
    table: bookings,
    where: inArray(bookings.conversationId, conversationIds),
    order: [bookings.createdAt, bookings.id],
  },
  {
    section: 'tool_calls',
    table: toolCalls,
    where: inArray(toolCalls.conversationId, conversationIds),
    order: [toolCalls.createdAt, toolCalls.id],
  },
  {
    section: 'messages',
    table: messages,
    where: inArray(messages.conversationId, conversationIds),
    order: [messages.conversationId, messages.position],
  },
];

/** The events of the resources with these ids. Their deliveries are deleted with them. */
export const eventsOf = (ids: Ids): SQL | undefined =>
  or(
    ...['id', 'conversation_id', 'contact_id', 'lead_id', 'ticket_id'].map((member) => inArray(memberOf(member), ids)),
  );
