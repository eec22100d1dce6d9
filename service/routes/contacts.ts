/** Contacts: the people the workspace knows. */
import { z } from '@hono/zod-openapi';
import { and, eq, exists, inArray, or } from 'drizzle-orm';
import { maxAttributeLength, maxContactAttributes } from '../../contract/limits.ts';
import { contacts, conversations, leads } from '../db/schema.ts';
import type { App } from '../app.ts';
import { reachesAll } from '../http/authenticate.ts';
import type { ApiKey, Dependencies } from '../http/environment.ts';
import { ApiError, invalid } from '../core/errors.ts';
import { withheldScopes } from '../core/roles.ts';
import { once } from '../http/idempotency.ts';
import { conflict, created, json, jsonBody, noContent, operation } from '../http/operation.ts';
import { newestFirst, page, pageOf, pageQuery } from '../http/pages.ts';
import { basePath } from '../core/version.ts';
import { consent, emailKey, isSuppressed, keyed, lockContacts, phoneKey, saveContact } from '../contacts/contacts.ts';
import { contactOut, serialiseContact, type Contact } from '../resources/contact.ts';
import { atLeastOne, mergedByKey, flatValues } from '../core/merge.ts';

const attributeName = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/);
const email = z
  .string()
  .max(320)
  .refine((text) => text.trim() === '' || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim()), { message: 'Not an e-mail.' })
  .transform((text) => text.trim());
const phone = z
  .string()
  .max(50)
  .refine((text) => text.trim() === '' || phoneKey(text) !== null, { message: 'Not a phone number.' })
  .transform((text) => text.trim());

const writable = {
  name: z.string().max(200).optional(),
  email: email.optional(),
  phone: phone.optional(),
  attributes: flatValues(maxContactAttributes, maxAttributeLength, attributeName).optional(),
  consent_marketing: z.boolean().optional(),
  locale: z.enum(['en', 'ar', '']).optional(),
};

/** A contact, and whether it is a new one. */
interface Saved {
  contact: z.infer<typeof contactOut>;
  isNew: boolean;
}

const newContact = z
  .object({ external_id: z.string().max(200).optional(), ...writable })
  .superRefine(({ external_id, email: sentEmail, phone: sentPhone }, context) => {
    if (external_id || sentEmail || sentPhone) return;
    context.addIssue({ code: 'custom', path: [], message: 'Send external_id, email or phone.' });
  })
  .openapi('NewContact');

const contactChange = z.object(writable).superRefine(atLeastOne).openapi('ContactChange');
const params = z.object({ contact_id: z.string() });

export const contactRoutes = (app: App, dependencies: Dependencies): void => {
  const { db } = dependencies;

  /** A key limited to some agents sees who has spoken with them, or left details with them. */
  const visible = (key: ApiKey) =>
    and(
      eq(contacts.workspaceId, key.workspaceId),
      key.agentIds === null
        ? undefined
        : or(
            exists(
              db
                .select({ id: conversations.id })
                .from(conversations)
                .where(and(eq(conversations.contactId, contacts.id), inArray(conversations.agentId, key.agentIds))),
            ),
            exists(
              db
                .select({ id: leads.id })
                .from(leads)
                .where(and(eq(leads.contactId, contacts.id), inArray(leads.agentId, key.agentIds))),
            ),
          ),
    );

  const find = async (key: ApiKey, id: string): Promise<Contact> => {
    const [contact] = await db
      .select()
      .from(contacts)
      .where(and(visible(key), eq(contacts.id, id)));
    if (!contact) throw new ApiError('not_found');
    return contact;
  };

  const list = operation(
    dependencies,
    'get',
    '/contacts',
    { needs: 'contacts:read' },
    {
      operationId: 'listContacts',
      summary: 'The contacts, most recently seen first.',
      request: {
        query: pageQuery.extend({
          email: z.string().max(320).optional(),
          phone: z.string().max(50).optional(),
          external_id: z.string().max(200).optional(),
          verified: z.enum(['true', 'false']).optional(),
        }),
      },
      responses: { 200: json(pageOf(contactOut), 'A page of contacts.') },
    },
  );
  app.openapi(list, async (context) => {
    const query = context.req.valid('query');
    const { after, order } = newestFirst(contacts.lastSeenAt, contacts.id, query.cursor);
    const found = await db
      .select()
      .from(contacts)
      .where(
        and(
          visible(context.var.key),
          query.email === undefined ? undefined : eq(contacts.emailKey, emailKey(query.email) ?? ''),
          query.phone === undefined ? undefined : eq(contacts.phoneKey, phoneKey(query.phone) ?? ''),
          query.external_id === undefined ? undefined : eq(contacts.externalId, query.external_id),
          query.verified && eq(contacts.verified, query.verified === 'true'),
          after,
        ),
      )
      .orderBy(...order)
      .limit(query.limit + 1);
    return context.json(
      page(found, query.limit, serialiseContact, (contact) => [contact.lastSeenAt.toISOString(), contact.id]),
      200,
    );
  });

  const save = operation(
    dependencies,
    'post',
    '/contacts',
    { needs: 'contacts:write' },
    {
      operationId: 'saveContact',
      summary: 'Make a contact, or write over the one with the same external id, e-mail or phone.',
      request: { ...jsonBody(newContact) },
      responses: {
        200: json(contactOut, 'The contact that there was, as it is now.'),
        201: created(contactOut, 'A new contact.'),
        409: conflict,
      },
    },
  );
  app.openapi(save, async (context) => {
    const key = context.var.key;
    reachesAll(key);
    const { external_id, consent_marketing, ...sent } = context.req.valid('json');
    const { contact, isNew } = await once<Saved>(dependencies, context, ({ keep }) =>
      db.transaction(async (tx) => {
        const known = { ...sent, externalId: external_id, consentMarketing: consent_marketing };
        const saving = {
          workspaceId: key.workspaceId,
          agentId: null,
          source: 'api',
          at: new Date(dependencies.now()),
        } as const;
        const saved = await saveContact(tx, known, saving);
        requireAttributeLimit(saved.contact);
        return keep(tx, { contact: serialiseContact(saved.contact), isNew: saved.isNew });
      }),
    );
    if (!isNew) return context.json(contact, 200);
    context.header('Location', `${basePath}/contacts/${contact.id}`);
    return context.json(contact, 201);
  });

  const get = operation(
    dependencies,
    'get',
    '/contacts/{contact_id}',
    { needs: 'contacts:read' },
    {
      operationId: 'getContact',
      summary: 'One contact.',
      request: { params },
      responses: { 200: json(contactOut, 'The contact.') },
    },
  );
  app.openapi(get, async (context) => {
    return context.json(serialiseContact(await find(context.var.key, context.req.valid('param').contact_id)), 200);
  });

  const change = operation(
    dependencies,
    'patch',
    '/contacts/{contact_id}',
    { needs: 'contacts:write' },
    {
      operationId: 'changeContact',
      summary: 'Change what is sent; attributes are merged by key, and null removes one.',
      request: { params, ...jsonBody(contactChange) },
      responses: { 200: json(contactOut, 'The contact as it is now.'), 409: conflict },
    },
  );
  app.openapi(change, async (context) => {
    const { id, workspaceId } = await find(context.var.key, context.req.valid('param').contact_id);
    const { consent_marketing, attributes, ...sent } = context.req.valid('json');
    const at = new Date(dependencies.now());
    const changed = await db.transaction(async (tx) => {
      await lockContacts(tx, workspaceId);
      const [contact] = await tx.select().from(contacts).where(eq(contacts.id, id)).for('update');
      if (!contact) throw new ApiError('not_found');
      const keys = await keyed(tx, workspaceId, sent, id);
      const isAnothers = (sent.email && keys.emailKey === null) || (sent.phone && keys.phoneKey === null);
      if (isAnothers) throw new ApiError('conflict', { details: 'contact_exists' });
      if (consent_marketing && isSuppressed(contact)) {
        throw new ApiError('conflict', { details: 'marketing_suppressed' });
      }
      const [written] = await tx
        .update(contacts)
        .set({
          ...sent,
          ...keys,
          ...(consent_marketing === undefined ? {} : consent(consent_marketing, at, contact)),
          attributes: mergedByKey(contact.attributes, attributes),
          updatedAt: at,
        })
        .where(eq(contacts.id, id))
        .returning();
      requireAttributeLimit(written!);
      return written!;
    });
    return context.json(serialiseContact(changed), 200);
  });

  const remove = operation(
    dependencies,
    'delete',
    '/contacts/{contact_id}',
    { needs: 'contacts:write' },
    {
      operationId: 'deleteContact',
      summary: 'Delete a contact, the notes that agents have of them, and their leads. Their conversations stay.',
      request: { params },
      responses: { 204: noContent },
    },
  );
  app.openapi(remove, async (context) => {
    const key = context.var.key;
    reachesAll(key);
    const { id } = await find(key, context.req.valid('param').contact_id);
    await db.transaction(async (tx) => {
      const [lead] = await tx.select({ id: leads.id }).from(leads).where(eq(leads.contactId, id)).limit(1);
      if (lead && (!key.scopes.includes('leads:write') || withheldScopes[key.role].includes('leads:write'))) {
        throw new ApiError('insufficient_scope', { required_scope: 'leads:write' });
      }
      await tx.delete(contacts).where(eq(contacts.id, id));
    });
    return context.body(null, 204);
  });
};

/** The limit holds for what a contact has in the end, not only for what one call sends. */
const requireAttributeLimit = ({ attributes }: Contact): void => {
  if (Object.keys(attributes).length > maxContactAttributes) {
    throw invalid('attributes', 'too_big', `At most ${maxContactAttributes} keys.`);
  }
};
