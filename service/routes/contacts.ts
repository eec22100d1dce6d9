/** The operations on contacts. */
import { z } from '@hono/zod-openapi';
import { eq } from 'drizzle-orm';
import { withoutInvisible } from '../../contract/characters.ts';
import { maxAttributeLength, maxContactAttributes } from '../../contract/limits.ts';
import { requireRow } from '../db/require-row.ts';
import { contacts } from '../db/schema.ts';
import { requireAllAgents } from '../core/key-access.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { runOnce } from '../http/idempotency.ts';
import type { Contact } from '../db/records.ts';
import type { App } from '../http/environment.ts';
import { ApiError, invalid } from '../core/errors.ts';
import { conflict, created, json, jsonBody, noContent, operation } from '../http/operation.ts';
import { normalizedEmail } from '../core/addresses.ts';
import { basePath } from '../core/version.ts';
import {
  consent,
  isSuppressed,
  contactKeys,
  lockContacts,
  passKeysOn,
  phoneKey,
  saveContact,
} from '../contacts/contacts.ts';
import { findContact } from '../contacts/visible-contacts.ts';
import { deleteContact } from '../contacts/delete-contact.ts';
import { contactOut, serializeContact } from '../resources/contact.ts';
import { atLeastOne, mergedByKey, flatValues } from '../core/merge.ts';
import { listContactsRoute } from './list-contacts.ts';
import { boundedText } from '../core/bounded-text.ts';

const attributeName = /^[a-z][a-z0-9_]{0,63}$/;
const email = boundedText(320)
  .transform(normalizedEmail)
  .refine((text) => text === '' || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text), { message: 'Not an e-mail.' });
const phone = boundedText(50)
  .refine((text) => withoutInvisible(text) === '' || phoneKey(text) !== null, { message: 'Not a phone number.' })
  .transform(withoutInvisible);

const writable = {
  name: boundedText(200).optional(),
  email: email.optional(),
  phone: phone.optional(),
  attributes: flatValues({
    maxKeys: maxContactAttributes,
    maxLength: maxAttributeLength,
    key: attributeName,
  }).optional(),
  consent_marketing: z.boolean().optional(),
  locale: z.enum(['en', 'ar', '']).optional(),
};

interface Saved {
  contact: z.infer<typeof contactOut>;
  isNew: boolean;
}

const newContact = z
  .object({ external_id: boundedText(200).optional(), ...writable })
  .superRefine(({ external_id, email: sentEmail, phone: sentPhone }, context) => {
    if (external_id || sentEmail || sentPhone) return;
    context.addIssue({ code: 'custom', path: [], message: 'Send external_id, email or phone.' });
  })
  .openapi('NewContact');

const contactChange = z.object(writable).superRefine(atLeastOne).openapi('ContactChange');
const params = z.object({ contact_id: z.string() });

export const contactRoutes = (app: App, dependencies: Dependencies): void => {
  listContactsRoute(app, dependencies);
  saveContactRoute(app, dependencies);
  getContactRoute(app, dependencies);
  changeContactRoute(app, dependencies);
  deleteContactRoute(app, dependencies);
};

const saveContactRoute = (app: App, dependencies: Dependencies): void => {
  const { db } = dependencies;
  const route = operation(dependencies, {
    method: 'post',
    path: '/contacts',
    scope: 'contacts:write',
    isRepeatable: true,
    operationId: 'saveContact',
    summary: 'Create a contact, or update the one with the same external id, e-mail or phone.',
    request: { ...jsonBody(newContact) },
    responses: {
      200: json(contactOut, 'The updated contact.'),
      201: created(contactOut, 'The new contact.'),
      409: conflict,
    },
  });
  app.openapi(route, async (context) => {
    const key = context.var.key;
    requireAllAgents(key);
    const { external_id, consent_marketing, ...sent } = context.req.valid('json');
    const { contact, isNew } = await runOnce<Saved>(dependencies, context, ({ saveResponse }) =>
      db.transaction(async (tx) => {
        const profile = { ...sent, externalId: external_id, consentMarketing: consent_marketing };
        const origin = {
          workspaceId: key.workspaceId,
          agentId: null,
          source: 'api',
          at: new Date(dependencies.now()),
        } as const;
        const saved = await saveContact(tx, profile, origin);
        requireAttributeLimit(saved.contact);
        return saveResponse(tx, { contact: serializeContact(saved.contact), isNew: saved.isNew });
      }),
    );
    if (!isNew) return context.json(contact, 200);
    context.header('Location', `${basePath}/contacts/${contact.id}`);
    return context.json(contact, 201);
  });
};

const getContactRoute = (app: App, dependencies: Dependencies): void => {
  const { db } = dependencies;
  const route = operation(dependencies, {
    method: 'get',
    path: '/contacts/{contact_id}',
    scope: 'contacts:read',
    operationId: 'getContact',
    summary: 'One contact.',
    request: { params },
    responses: { 200: json(contactOut, 'The contact.') },
  });
  app.openapi(route, async (context) => {
    return context.json(
      serializeContact(await findContact(db, context.var.key, context.req.valid('param').contact_id)),
      200,
    );
  });
};

const changeContactRoute = (app: App, dependencies: Dependencies): void => {
  const { db } = dependencies;
  const route = operation(dependencies, {
    method: 'patch',
    path: '/contacts/{contact_id}',
    scope: 'contacts:write',
    operationId: 'changeContact',
    summary: 'Change the fields that are sent. Attributes are merged by key, and null removes a key.',
    request: { params, ...jsonBody(contactChange) },
    responses: { 200: json(contactOut, 'The changed contact.'), 409: conflict },
  });
  app.openapi(route, async (context) => {
    const { id, workspaceId } = await findContact(db, context.var.key, context.req.valid('param').contact_id);
    const { consent_marketing, attributes, ...sent } = context.req.valid('json');
    const at = new Date(dependencies.now());
    const changed = await db.transaction(async (tx) => {
      await lockContacts(tx, workspaceId);
      const contact = await requireRow(tx.select().from(contacts).where(eq(contacts.id, id)).for('update'));
      const keys = await contactKeys(tx, workspaceId, sent, id);
      const isTaken = (sent.email && keys.emailKey === null) || (sent.phone && keys.phoneKey === null);
      if (isTaken) throw new ApiError('conflict', { details: 'contact_exists' });
      if (consent_marketing && isSuppressed(contact)) {
        throw new ApiError('conflict', { details: 'marketing_suppressed' });
      }
      const [updated] = await tx
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
      if (attributes) requireAttributeLimit(updated!);
      await passKeysOn(tx, contact, updated);
      return updated!;
    });
    return context.json(serializeContact(changed), 200);
  });
};

const deleteContactRoute = (app: App, dependencies: Dependencies): void => {
  const { db } = dependencies;
  const route = operation(dependencies, {
    method: 'delete',
    path: '/contacts/{contact_id}',
    scope: 'contacts:write',
    operationId: 'deleteContact',
    summary: 'Delete a contact, the notes that agents have of them, and their leads. Their conversations stay.',
    request: { params },
    responses: { 204: noContent },
  });
  app.openapi(route, async (context) => {
    const key = context.var.key;
    requireAllAgents(key);
    const contact = await findContact(db, key, context.req.valid('param').contact_id);
    await db.transaction((tx) => deleteContact(tx, contact, key.scopes.includes('leads:write')));
    return context.body(null, 204);
  });
};

/** The limit applies to the stored attributes, not only to those of one request. */
const requireAttributeLimit = ({ attributes }: Contact): void => {
  if (Object.keys(attributes).length > maxContactAttributes) {
    throw invalid('attributes', 'too_big', `At most ${maxContactAttributes} keys.`);
  }
};
