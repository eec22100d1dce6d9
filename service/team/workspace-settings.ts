/** Settings of the workspace: its name, its owner, its plan, and how long it stores conversations and contacts. */
import { z } from '@hono/zod-openapi';
import { and, eq } from 'drizzle-orm';
import type { Context } from 'hono';
import { countExpired, maxRetentionDays, retentionOf } from '../contacts/retention.ts';
import { boundedLine } from '../core/bounded-text.ts';
import { plans, type Plan } from '../core/plans.ts';
import type { Db } from '../db/database.ts';
import { lockWorkspace } from '../db/row-locks.ts';
import { members, workspaces } from '../db/schema.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { recordChange } from '../db/audit.ts';
import type { TeamApp, TeamEnvironment } from './environment.ts';
import { parseBody, parseQuery } from './parse-body.ts';

type Workspace = typeof workspaces.$inferSelect;

/** 0 stores them forever. Null is the setting of the service. */
const days = z.number().int().min(0).max(maxRetentionDays).nullable();
const daysInQuery = z.coerce.number().int().min(0).max(maxRetentionDays).optional();

const change = z.object({
  name: boundedLine(120).optional(),
  owner: z.object({ name: boundedLine(120).optional(), email: z.email().max(320).optional() }).optional(),
  plan: z.enum(Object.keys(plans) as Plan[]).optional(),
  conversation_retention_days: days.optional(),
  contact_retention_days: days.optional(),
});

const preview = z.object({ conversation_retention_days: daysInQuery, contact_retention_days: daysInQuery });

export const workspaceSettingRoutes = (app: TeamApp, dependencies: Dependencies): void => {
  const { db } = dependencies;
  app.get('/workspace', async (context) => {
    return context.json(serializeWorkspace(await findWorkspace(db, context.var.caller.workspaceId)));
  });
  changeWorkspaceRoute(app, dependencies);
  previewRetentionRoute(app, dependencies);
};

const changeWorkspaceRoute = (app: TeamApp, { db, now }: Dependencies): void => {
  app.patch('/workspace', async (context) => {
    const { workspaceId: id } = context.var.caller;
    const sent = await parseBody(context, change);
    const changed = await db.transaction(async (tx) => {
      await lockWorkspace(tx, id);
      const before = await findWorkspace(tx, id);
      const next: Workspace = {
        ...before,
        name: sent.name ?? before.name,
        plan: sent.plan ?? before.plan,
        conversationRetentionDays: given(sent.conversation_retention_days, before.conversationRetentionDays),
        contactRetentionDays: given(sent.contact_retention_days, before.contactRetentionDays),
      };
      await tx.update(workspaces).set(next).where(eq(workspaces.id, id));
      const at = new Date(now());
      await recordChanges(tx, context, before, next, at);
      if (sent.owner) await changeOwner(tx, context, sent.owner, at);
      return next;
    });
    return context.json(serializeWorkspace(changed));
  });
};

const changeOwner = async (
  tx: Db,
  context: Context<TeamEnvironment>,
  { name, email }: { name?: string | undefined; email?: string | undefined },
  at: Date,
): Promise<void> => {
  const changes = { ...(name === undefined ? {} : { name }), ...(email === undefined ? {} : { email }) };
  if (Object.keys(changes).length === 0) return;
  const isOwner = and(eq(members.workspaceId, context.var.caller.workspaceId), eq(members.role, 'owner'));
  const [owner] = await tx.update(members).set(changes).where(isOwner).returning({ id: members.id });
  const change = { action: 'workspace.owner_changed', target: owner!.id, detail: { fields: Object.keys(changes) } };
  await recordChange(tx, context.var.caller, change, at);
};

const given = <Value>(sent: Value | undefined, before: Value): Value => (sent === undefined ? before : sent);

const recordChanges = async (
  tx: Db,
  context: Context<TeamEnvironment>,
  before: Workspace,
  after: Workspace,
  at: Date,
): Promise<void> => {
  const changes = [
    ['workspace.renamed', before.name, after.name],
    ['workspace.plan_changed', before.plan, after.plan],
    ['workspace.conversation_retention_changed', before.conversationRetentionDays, after.conversationRetentionDays],
    ['workspace.contact_retention_changed', before.contactRetentionDays, after.contactRetentionDays],
  ] as const;
  for (const [action, earlier, later] of changes) {
    if (earlier === later) continue;
    await recordChange(
      tx,
      context.var.caller,
      { action, target: after.id, detail: { before: earlier, after: later } },
      at,
    );
  }
};

/** Counts what the retention would delete now, with the days of the query or with those in force. Nothing is deleted. */
const previewRetentionRoute = (app: TeamApp, dependencies: Dependencies): void => {
  const { db } = dependencies;
  app.get('/retention', async (context) => {
    const sent = parseQuery(context, preview);
    const workspace = await findWorkspace(db, context.var.caller.workspaceId);
    const inForce = retentionOf(workspace, dependencies.retention);
    const used = {
      conversations: sent.conversation_retention_days ?? inForce.conversations,
      contacts: sent.contact_retention_days ?? inForce.contacts,
    };
    return context.json({
      conversation_retention_days: used.conversations,
      contact_retention_days: used.contacts,
      due: await countExpired(dependencies, workspace.id, used),
    });
  });
};

const findWorkspace = async (db: Db, id: string): Promise<Workspace> => {
  const [found] = await db.select().from(workspaces).where(eq(workspaces.id, id));
  return found!;
};

const serializeWorkspace = ({ id, name, plan, conversationRetentionDays, contactRetentionDays }: Workspace) => ({
  id,
  name,
  plan,
  conversation_retention_days: conversationRetentionDays,
  contact_retention_days: contactRetentionDays,
});
