/** The resource Contact. */
import { z } from '@hono/zod-openapi';
import type { Contact } from '../db/records.ts';

export const contactOut = z
  .object({
    id: z.string(),
    external_id: z.string().nullable(),
    name: z.string(),
    email: z.string(),
    phone: z.string(),
    attributes: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    verified: z.boolean(),
    source: z.enum(['manual', 'import', 'identify', 'lead', 'api']),
    first_seen_at: z.string(),
    last_seen_at: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
    consent_marketing: z.boolean().nullable(),
    consent_marketing_at: z.string().nullable(),
    locale: z.enum(['en', 'ar', '']),
    marketing_status: z.enum(['subscribed', 'not_subscribed', 'unsubscribed', 'bounced', 'complained']),
  })
  .openapi('Contact');

export const serializeContact = (contact: Contact): z.infer<typeof contactOut> => {
  return {
    id: contact.id,
    external_id: contact.externalId,
    name: contact.name,
    email: contact.email,
    phone: contact.phone,
    attributes: contact.attributes as z.infer<typeof contactOut>['attributes'],
    verified: contact.verified,
    source: contact.source,
    first_seen_at: contact.firstSeenAt.toISOString(),
    last_seen_at: contact.lastSeenAt.toISOString(),
    created_at: contact.createdAt.toISOString(),
    updated_at: contact.updatedAt.toISOString(),
    consent_marketing: contact.consentMarketing,
    consent_marketing_at: contact.consentMarketingAt?.toISOString() ?? null,
    locale: contact.locale,
    marketing_status: contact.marketingStatus,
  };
};
