/** Notices to members of the team: stored in the transaction that causes them, and sent by e-mail when a mail server is configured. */
import { and, eq, isNull } from 'drizzle-orm';
import { newId } from '../core/ids.ts';
import type { Db } from '../db/database.ts';
import { members, notices, type NoticeDetail, type NoticeKind } from '../db/schema.ts';
import { addJob } from '../jobs/queue.ts';

interface NewNotice<Kind extends NoticeKind> {
  workspaceId: string;
  kind: Kind;
  detail: NoticeDetail[Kind];
  at: Date;
}

export const addNotice = async <Kind extends NoticeKind>(
  tx: Db,
  { workspaceId, kind, recipient, detail, at }: NewNotice<Kind> & { recipient: string },
): Promise<void> => {
  const id = newId('ntc');
  await tx.insert(notices).values({ id, workspaceId, kind, recipient, detail, createdAt: at });
  await addJob(tx, 'send_notice', { notice: id }, at);
};

export const notifyOwners = async <Kind extends NoticeKind>(tx: Db, notice: NewNotice<Kind>): Promise<void> => {
  const owners = await tx
    .select({ email: members.email })
    .from(members)
    .where(and(eq(members.workspaceId, notice.workspaceId), eq(members.role, 'owner'), isNull(members.endedAt)));
  for (const { email } of owners) await addNotice(tx, { ...notice, recipient: email });
};
