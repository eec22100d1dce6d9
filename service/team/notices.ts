/** Shows the notices to members of the team, newest first, and sends one again. */
import { and, eq } from 'drizzle-orm';
import { ApiError } from '../core/errors.ts';
import { requireRow } from '../db/require-row.ts';
import { notices } from '../db/schema.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { byCreation, newestFirst, page, pageQuery } from '../http/pages.ts';
import { resendNotice } from '../mail/send-notice.ts';
import { recordChange } from '../db/audit.ts';
import type { TeamApp } from './environment.ts';
import { parseQuery } from './parse-body.ts';

type Notice = typeof notices.$inferSelect;

export const noticeRoutes = (app: TeamApp, { db, now }: Dependencies): void => {
  app.get('/notices', async (context) => {
    const { limit, cursor } = parseQuery(context, pageQuery);
    const { after, order } = newestFirst(notices.createdAt, notices.id, cursor);
    const found = await db
      .select()
      .from(notices)
      .where(and(eq(notices.workspaceId, context.var.caller.workspaceId), after))
      .orderBy(...order)
      .limit(limit + 1);
    return context.json(page(found, limit, serializeNotice, byCreation));
  });

  app.post('/notices/:id/send', async (context) => {
    const { workspaceId } = context.var.caller;
    const id = context.req.param('id');
    await db.transaction(async (tx) => {
      const isNotice = and(eq(notices.id, id), eq(notices.workspaceId, workspaceId));
      await requireRow(tx.select({ id: notices.id }).from(notices).where(isNotice));
      const at = new Date(now());
      if (!(await resendNotice(tx, workspaceId, id, at))) throw new ApiError('conflict', { details: 'pending' });
      await recordChange(tx, context.var.caller, { action: 'notice.sent_again', target: id }, at);
    });
    return context.body(null, 202);
  });
};

const serializeNotice = ({ id, kind, recipient, detail, status, attempts, lastError, sentAt, createdAt }: Notice) => {
  return {
    id,
    kind,
    recipient,
    detail,
    status,
    attempts,
    last_error: lastError,
    sent_at: sentAt,
    created_at: createdAt,
  };
};
