/** The audit log of the workspace: changes of the team and of API keys, newest first. */
import { and, eq } from 'drizzle-orm';
import type { Context } from 'hono';
import type { JsonObject } from '../../contract/wire.ts';
import { newId } from '../core/ids.ts';
import type { Db } from '../db/database.ts';
import { auditEntries } from '../db/schema.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { newestFirst, page, pageQuery } from '../http/pages.ts';
import type { TeamApp, TeamEnvironment } from './environment.ts';
import { parseQuery } from './parse-body.ts';

type Entry = typeof auditEntries.$inferSelect;

interface Change {
  /** For example `member.role_changed`. */
  action: string;
  target: string;
  /** Without names and addresses: entries stay for a year, also after a person was erased. */
  detail?: JsonObject;
}

/** Records a change of the team in the transaction of the change. */
export const recordChange = async (
  tx: Db,
  context: Context<TeamEnvironment>,
  { action, target, detail = {} }: Change,
  at: Date,
): Promise<void> => {
  const { key, memberId } = context.var;
  await tx.insert(auditEntries).values({
    id: newId('aud'),
    workspaceId: key.workspaceId,
    action,
    target,
    detail,
    apiKeyId: key.id,
    memberId,
    createdAt: at,
  });
};

export const auditLogRoutes = (app: TeamApp, { db }: Dependencies): void => {
  app.get('/audit-log', async (context) => {
    const { limit, cursor } = parseQuery(context, pageQuery);
    const { after, order } = newestFirst(auditEntries.createdAt, auditEntries.id, cursor);
    const found = await db
      .select()
      .from(auditEntries)
      .where(and(eq(auditEntries.workspaceId, context.var.key.workspaceId), after))
      .orderBy(...order)
      .limit(limit + 1);
    return context.json(page(found, limit, serializeEntry, (entry) => [entry.createdAt.toISOString(), entry.id]));
  });
};

const serializeEntry = ({ id, action, target, apiKeyId, memberId, detail, createdAt }: Entry) => {
  return { id, action, target, key_id: apiKeyId, member_id: memberId, detail, created_at: createdAt };
};
