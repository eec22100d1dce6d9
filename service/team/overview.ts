/** Everything that the dashboard shows of a workspace besides the inbox, in one response. */
import { asc, desc, eq, inArray } from 'drizzle-orm';
import { usageOf } from '../chat/quota.ts';
import type { Db } from '../db/database.ts';
import type { Agent } from '../db/records.ts';
import {
  actions,
  agents,
  apiKeys,
  contacts,
  identitySecrets,
  leadFields,
  members,
  sourceColumns,
  sources,
  tagRules,
  ticketFields,
  verifiedHosts,
  webhookEndpoints,
} from '../db/schema.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { sourceProblem } from '../knowledge/source-problems.ts';
import { serializeAction, hostOf } from '../resources/action.ts';
import { serializeContact } from '../resources/contact.ts';
import { serializeSource } from '../resources/source.ts';
import { serializeWebhook } from '../resources/webhook.ts';
import type { TeamApp } from './environment.ts';
import { editableLeadField, serializeTicketField } from './fields.ts';

const maxContacts = 50;

export const overviewRoutes = (app: TeamApp, { db, now }: Dependencies): void => {
  app.get('/overview', async (context) => {
    const { workspaceId } = context.var.caller;
    const ownAgents = await db
      .select()
      .from(agents)
      .where(eq(agents.workspaceId, workspaceId))
      .orderBy(asc(agents.createdAt), asc(agents.id));
    const [agentList, workspace, usage] = await Promise.all([
      readAgents(db, ownAgents),
      readWorkspace(db, workspaceId),
      usageOf(db, workspaceId, now()),
    ]);
    return context.json({ agents: agentList, ...workspace, usage });
  });
};

/** The agents with their sources, actions and lead fields. */
const readAgents = async (db: Db, ownAgents: Agent[]) => {
  const ids = ownAgents.map(({ id }) => id);
  const [allSources, allActions, allFields, hosts, secrets] = await Promise.all([
    db
      .select(sourceColumns)
      .from(sources)
      .where(inArray(sources.agentId, ids))
      .orderBy(desc(sources.createdAt), desc(sources.id)),
    db.select().from(actions).where(inArray(actions.agentId, ids)).orderBy(asc(actions.name)),
    db.select().from(leadFields).where(inArray(leadFields.agentId, ids)).orderBy(asc(leadFields.position)),
    db.select().from(verifiedHosts).where(inArray(verifiedHosts.agentId, ids)),
    db.select().from(identitySecrets).where(inArray(identitySecrets.agentId, ids)),
  ]);
  const isVerified = (agentId: string, url: string) =>
    hosts.some((each) => each.agentId === agentId && each.host === hostOf(url));
  return ownAgents.map(({ id, name, status, publicKey, allowedOrigins }) => ({
    id,
    name,
    status,
    public_key: publicKey,
    allowed_origins: allowedOrigins,
    has_identity_secret: secrets.some(({ agentId }) => agentId === id),
    sources: allSources
      .filter(({ agentId }) => agentId === id)
      .map((source) => ({ ...serializeSource(source), error_message: sourceProblem(source.error) })),
    actions: allActions
      .filter(({ agentId }) => agentId === id)
      .map((action) => serializeAction(action, isVerified(id, action.urlTemplate))),
    lead_fields: allFields.filter(({ agentId }) => agentId === id).map(editableLeadField),
  }));
};

/** The keys, members, webhooks, contacts, ticket fields and tag rules of a workspace. */
const readWorkspace = async (db: Db, workspaceId: string) => {
  const [keys, team, endpoints, recentContacts, fields, rules] = await Promise.all([
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
  ]);
  return {
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
    webhooks: endpoints.map(serializeWebhook),
    contacts: recentContacts.map(serializeContact),
    ticket_fields: fields.map(serializeTicketField),
    tag_rules: rules.map(({ words, tag }) => ({ words, tag })),
  };
};
