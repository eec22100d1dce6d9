/** Sends a stored notice by e-mail, and again after a failure, at the times of webhook deliveries. */
import { and, eq, inArray } from 'drizzle-orm';
import type { JsonObject } from '../../contract/wire.ts';
import type { Log } from '../core/log.ts';
import { retryDelaysMs } from '../core/retries.ts';
import type { DatabaseContext, Db } from '../db/database.ts';
import { notices, workspaces } from '../db/schema.ts';
import { addJob } from '../jobs/queue.ts';
import { MailRejectedError, type Mailer } from './email.ts';
import { emailOf } from './texts.ts';

type Notice = typeof notices.$inferSelect;

export interface MailContext extends DatabaseContext {
  /** Undefined when no mail server is configured. Notices are then stored, and not sent later. */
  mailer: Mailer | undefined;
  log: Log;
}

/** Returns the handler of a job, which resolves with the time of the next attempt. */
export const createNoticeHandler = (context: MailContext) => {
  const { db, mailer } = context;
  return async ({ notice: id }: JsonObject): Promise<Date | void> => {
    const [found] = await db
      .select({ notice: notices, workspace: workspaces.name })
      .from(notices)
      .innerJoin(workspaces, eq(workspaces.id, notices.workspaceId))
      .where(and(eq(notices.id, String(id)), eq(notices.status, 'pending')));
    if (!found) return;
    const { notice, workspace } = found;
    if (!mailer) return record(db, notice, { status: 'stored' });
    return send(context, mailer, notice, workspace);
  };
};

/** Ends a notice whose job is given up, so that the team can send it again. */
export const giveUpNotice = async (db: Db, id: string): Promise<void> => {
  const isPending = and(eq(notices.id, id), eq(notices.status, 'pending'));
  await db.update(notices).set({ status: 'failed', lastError: 'internal_error' }).where(isPending);
};

const send = async (context: MailContext, mailer: Mailer, notice: Notice, workspace: string): Promise<Date | void> => {
  const { db, now, log } = context;
  const attempts = notice.attempts + 1;
  try {
    await mailer.send(emailOf(notice, workspace, mailer.teamUrl));
  } catch (error) {
    const lastError = reasonOf(error);
    const delay = error instanceof MailRejectedError ? undefined : retryDelaysMs[notice.attempts];
    log({ level: 'error', event: 'mail_failure', notice_id: notice.id, kind: notice.kind, attempts, error: lastError });
    await record(db, notice, { attempts, lastError, status: delay === undefined ? 'failed' : 'pending' });
    return delay === undefined ? undefined : new Date(now() + delay);
  }
  await record(db, notice, { attempts, lastError: null, status: 'sent', sentAt: new Date(now()) });
};

/** A code, because messages of mail servers may contain addresses. */
const reasonOf = (error: unknown): string => {
  if (error instanceof MailRejectedError) return `rejected_${error.message}`;
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' ? code : 'internal_error';
};

const record = async (db: Db, { id }: Notice, changes: Partial<Notice>): Promise<void> => {
  await db.update(notices).set(changes).where(eq(notices.id, id));
};

/** Sends a notice again with all its attempts. Returns false when it is still being sent, or does not exist. */
export const resendNotice = async (tx: Db, workspaceId: string, id: string, at: Date): Promise<boolean> => {
  const isFinal = inArray(notices.status, ['stored', 'failed', 'sent']);
  const restarted = await tx
    .update(notices)
    .set({ status: 'pending', attempts: 0 })
    .where(and(eq(notices.id, id), eq(notices.workspaceId, workspaceId), isFinal))
    .returning({ id: notices.id });
  if (restarted.length > 0) await addJob(tx, 'send_notice', { notice: id }, at);
  return restarted.length > 0;
};
