/** All that the dashboard shows of a workspace besides its inbox, in one answer. */
import { asc, desc, eq, inArray } from 'drizzle-orm';
import { usageOf } from '../chat/quota.ts';
import {
  actions,
  agents,
  apiKeys,
  contacts,
  identitySecrets,
  leadFields,
  members,
  sources,
  tagRules,
  ticketFields,
  verifiedHosts,
  webhookEndpoints,
} from '../db/schema.ts';
import type { Dependencies } from '../http/environment.ts';
import { serialiseAction, hostOf } from '../resources/action.ts';
import { serialiseContact } from '../resources/contact.ts';
import { serialiseSource } from '../resources/source.ts';
import { serialiseWebhook } from '../resources/webhook.ts';
import type { TeamApp } from './app.ts';
import { serialiseLeadField, serialiseTicketField } from './fields.ts';

const maxContacts = 50;

export const overviewRoutes = (app: TeamApp, { db, now }: Dependencies): void => {
  app.get('/overview', async (context) => {
    const { workspaceId } = context.var.key;
    const ours = await db
      .select()
      .from(agents)
      .where(eq(agents.workspaceId, workspaceId))
      .orderBy(asc(agents.createdAt), asc(agents.id));
    const ids = ours.map(({ id }) => id);
    const [sourcesOf, actionsOf, fieldsOf, verified, secrets, keys, team, endpoints, people, custom, rules, usage] =
      await Promise.all([
        db
          .select()
          .from(sources)
          .where(inArray(sources.agentId, ids))
          .orderBy(desc(sources.createdAt), desc(sources.id)),
        db.select().from(actions).where(inArray(actions.agentId, ids)).orderBy(asc(actions.name)),
        db.select().from(leadFields).where(inArray(leadFields.agentId, ids)).orderBy(asc(leadFields.position)),
        db.select().from(verifiedHosts).where(inArray(verifiedHosts.agentId, ids)),
        db.select().from(identitySecrets).where(inArray(identitySecrets.agentId, ids)),
        db.select().from(apiKeys).where(eq(apiKeys.workspaceId, workspaceId)).orderBy(desc(apiKeys.createdAt)),
        db.select().from(members).where(eq(members.workspaceId, workspaceId)).orderBy(asc(members.name)),
        db
          .select()
          .from(webhookEndpoints)
          .where(eq(webhookEndpoints.workspaceId, workspaceId))
          .orderBy(desc(webhookEndpoints.createdAt)),
        db
          .select()
          .from(contacts)
          .where(eq(contacts.workspaceId, workspaceId))
          .orderBy(desc(contacts.lastSeenAt))
          .limit(maxContacts),
        db.select().from(ticketFields).where(eq(ticketFields.workspaceId, workspaceId)).orderBy(asc(ticketFields.key)),
        db.select().from(tagRules).where(eq(tagRules.workspaceId, workspaceId)).orderBy(asc(tagRules.tag)),
        usageOf(db, workspaceId, now()),
      ]);
    const isVerified = (agentId: string, url: string) =>
      verified.some((each) => each.agentId === agentId && each.host === hostOf(url));
    return context.json({
      agents: ours.map(({ id, name, status, publicKey }) => ({
        id,
        name,
        status,
        public_key: publicKey,
        has_identity_secret: secrets.some(({ agentId }) => agentId === id),
        sources: sourcesOf.filter(({ agentId }) => agentId === id).map(serialiseSource),
        actions: actionsOf
          .filter(({ agentId }) => agentId === id)
          .map((action) => serialiseAction(action, isVerified(id, action.urlTemplate))),
        lead_fields: fieldsOf.filter(({ agentId }) => agentId === id).map(serialiseLeadField),
      })),
      keys: keys.map(({ id, label, kind, scopes, agentIds, expiresAt, revokedAt }) => ({
        id,
        label,
        kind,
        scopes,
        agent_ids: agentIds,
        expires_at: expiresAt,
        revoked_at: revokedAt,
      })),
      members: team.map(({ id, name, role, endedAt }) => ({ id, name, role, ended_at: endedAt })),
      webhooks: endpoints.map(serialiseWebhook),
      contacts: people.map(serialiseContact),
      ticket_fields: custom.map(serialiseTicketField),
      tag_rules: rules.map(({ words, tag }) => ({ words, tag })),
      usage,
    });
  });
};
