/** The audit log of the workspace: changes of the team and of API keys, newest first. */
import { and, eq } from 'drizzle-orm';
import { auditEntries } from '../db/schema.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { byCreation, newestFirst, page, pageQuery } from '../http/pages.ts';
import type { TeamApp } from './environment.ts';
import { parseQuery } from './parse-body.ts';

type Entry = typeof auditEntries.$inferSelect;

export const auditLogRoutes = (app: TeamApp, { db }: Dependencies): void => {
  app.get('/audit-log', async (context) => {
    const { limit, cursor } = parseQuery(context, pageQuery);
    const { after, order } = newestFirst(auditEntries.createdAt, auditEntries.id, cursor);
    const found = await db
      .select()
      .from(auditEntries)
      .where(and(eq(auditEntries.workspaceId, context.var.caller.workspaceId), after))
      .orderBy(...order)
      .limit(limit + 1);
    return context.json(page(found, limit, serializeEntry, byCreation));
  });
};

const serializeEntry = ({ id, action, target, apiKeyId, memberId, detail, createdAt }: Entry) => {
  return { id, action, target, key_id: apiKeyId, member_id: memberId, detail, created_at: createdAt };
};
