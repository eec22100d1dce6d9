/** `GET /contacts`: the contacts, most recently seen first. */
import { z } from '@hono/zod-openapi';
import { and, desc, eq, getTableColumns, sql, type SQL } from 'drizzle-orm';
import { emailKey, phoneKey } from '../contacts/contacts.ts';
import { isFirstLink, isVisible, linkedContacts } from '../contacts/visible-contacts.ts';
import type { Contact } from '../db/records.ts';
import { contactAgents, contacts } from '../db/schema.ts';
import type { Dependencies } from '../http/dependencies.ts';
import type { ApiKey, App } from '../http/environment.ts';
import { json, operation } from '../http/operation.ts';
import { newestFirst, page, pageOf, pageQuery } from '../http/pages.ts';
import { contactOut, serializeContact } from '../resources/contact.ts';
import { boundedText } from '../core/bounded-text.ts';

const contactQuery = pageQuery.extend({
  email: boundedText(320).optional(),
  phone: boundedText(50).optional(),
  external_id: boundedText(200).optional(),
  verified: z.enum(['true', 'false']).optional(),
});

type ContactQuery = z.infer<typeof contactQuery>;

export const listContactsRoute = (app: App, dependencies: Dependencies): void => {
  const route = operation(dependencies, {
    method: 'get',
    path: '/contacts',
    scope: 'contacts:read',
    operationId: 'listContacts',
    summary: 'The contacts, most recently seen first.',
    request: { query: contactQuery },
    responses: { 200: json(pageOf(contactOut), 'A page of contacts.') },
  });
  app.openapi(route, async (context) => {
    const query = context.req.valid('query');
    const found = await readContacts(dependencies, context.var.key, query);
    return context.json(
      page(found, query.limit, serializeContact, ({ lastSeenAt, id }) => [lastSeenAt, id]),
      200,
    );
  });
};

/** Reads one row more than the page has. */
const readContacts = async ({ db }: Dependencies, key: ApiKey, query: ContactQuery): Promise<Contact[]> => {
  const { email, phone, external_id: externalId, verified, cursor, limit } = query;
  const wanted = and(isVisible(db, key), ...isFound(query), verified && eq(contacts.verified, verified === 'true'));
  const { after, order } = newestFirst(contacts.lastSeenAt, contacts.id, cursor);
  const isSingle = email !== undefined || phone !== undefined || externalId !== undefined;
  if (key.agentIds === null || isSingle) {
    return db
      .select()
      .from(contacts)
      .where(and(wanted, after))
      .orderBy(...order)
      .limit(limit + 1);
  }
  if (key.agentIds.length === 0) return [];
  const linked = newestFirst(contactAgents.lastSeenAt, contactAgents.contactId, cursor);
  return db
    .select(getTableColumns(contacts))
    .from(linkedContacts(key.agentIds, linked.after))
    .innerJoin(contacts, eq(contacts.id, sql`linked.contact_id`))
    .where(and(wanted, key.agentIds.length > 1 ? isFirstLink(key.agentIds) : undefined))
    .orderBy(desc(sql`linked.last_seen_at`), desc(sql`linked.contact_id`))
    .limit(limit + 1);
};

/** The conditions that at most one contact fulfills. */
const isFound = ({ email, phone, external_id: externalId }: ContactQuery): (SQL | undefined)[] => [
  email === undefined ? undefined : eq(contacts.emailKey, emailKey(email) ?? ''),
  phone === undefined ? undefined : eq(contacts.phoneKey, phoneKey(phone) ?? ''),
  externalId === undefined ? undefined : eq(contacts.externalId, externalId),
];
