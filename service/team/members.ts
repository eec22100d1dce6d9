/** The members of the team: invitations, roles, and the end of a membership. */
import { isDeepStrictEqual } from 'node:util';
import { z } from '@hono/zod-openapi';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { ApiError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import type { Db } from '../db/database.ts';
import { findAgent } from '../db/find-agent.ts';
import { requireRow } from '../db/require-row.ts';
import { lockWorkspace } from '../db/row-locks.ts';
import { apiKeys, members, webhookEndpoints } from '../db/schema.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { addNotice } from '../mail/notices.ts';
import { recordChange } from '../db/audit.ts';
import type { TeamApp } from './environment.ts';
import { parseBody } from './parse-body.ts';
import { boundedLine } from '../core/bounded-text.ts';

type Member = typeof members.$inferSelect;

/** Each workspace has one owner, who cannot be changed here. */
const role = z.enum(['admin', 'editor', 'agent', 'viewer']);
const agentIds = z.array(z.string()).nullable();

const invitation = z.object({
  name: boundedLine(120),
  email: z.email().max(320),
  role,
  agent_ids: agentIds.default(null),
});

const memberChange = z.object({ role: role.optional(), agent_ids: agentIds.optional() });

export const memberRoutes = (app: TeamApp, dependencies: Dependencies): void => {
  inviteRoute(app, dependencies);
  changeMemberRoute(app, dependencies);
  endMembershipRoute(app, dependencies);
};

const inviteRoute = (app: TeamApp, dependencies: Dependencies): void => {
  const { db } = dependencies;
  app.post('/members', async (context) => {
    const { caller } = context.var;
    const { workspaceId } = caller;
    const { name, email, role: given, agent_ids } = await parseBody(context, invitation);
    for (const id of agent_ids ?? []) await findAgent(db, caller, id);
    const at = new Date(dependencies.now());
    const invited = await db.transaction(async (tx) => {
      // Two invitations of one person at the same time wait for each other.
      await lockWorkspace(tx, workspaceId);
      if (await isMember(tx, workspaceId, email)) throw new ApiError('conflict', { details: 'member_exists' });
      const row = { id: newId('mem'), workspaceId, name, email, role: given, agentIds: agent_ids, createdAt: at };
      const [member] = await tx.insert(members).values(row).returning();
      const detail = { role: given };
      await addNotice(tx, { workspaceId, kind: 'member_invited', recipient: email, detail, at });
      const change = { action: 'member.invited', target: row.id, detail };
      await recordChange(tx, context.var.caller, change, at);
      return member!;
    });
    return context.json(serializeMember(invited), 201);
  });
};

const isMember = async (tx: Db, workspaceId: string, email: string): Promise<boolean> => {
  const isCurrent = and(eq(members.workspaceId, workspaceId), isNull(members.endedAt));
  const isPerson = sql`lower(${members.email}) = ${email.toLowerCase()}`;
  return (await tx.$count(members, and(isCurrent, isPerson))) > 0;
};

const changeMemberRoute = (app: TeamApp, dependencies: Dependencies): void => {
  const { db } = dependencies;
  app.patch('/members/:id', async (context) => {
    const { caller } = context.var;
    const { role: given, agent_ids } = await parseBody(context, memberChange);
    for (const id of agent_ids ?? []) await findAgent(db, caller, id);
    const changed = await db.transaction(async (tx) => {
      const member = await findMember(tx, caller.workspaceId, context.req.param('id'));
      const next = { role: given ?? member.role, agentIds: agent_ids === undefined ? member.agentIds : agent_ids };
      const [row] = await tx.update(members).set(next).where(eq(members.id, member.id)).returning();
      const record = (action: string, before: unknown, after: unknown) =>
        recordChange(
          tx,
          caller,
          { action, target: member.id, detail: { before, after } },
          new Date(dependencies.now()),
        );
      if (next.role !== member.role) await record('member.role_changed', member.role, next.role);
      if (!isDeepStrictEqual(next.agentIds, member.agentIds)) {
        await record('member.agents_changed', member.agentIds, next.agentIds);
      }
      return row!;
    });
    return context.json(serializeMember(changed));
  });
};

const endMembershipRoute = (app: TeamApp, dependencies: Dependencies): void => {
  /** Ends a membership: revokes the member's keys and disables their endpoints until the owner enables them. */
  app.delete('/members/:id', async (context) => {
    const at = new Date(dependencies.now());
    await dependencies.db.transaction(async (tx) => {
      const member = await findMember(tx, context.var.caller.workspaceId, context.req.param('id'));
      await tx.update(members).set({ endedAt: at }).where(eq(members.id, member.id));
      await tx
        .update(apiKeys)
        .set({ revokedAt: at })
        .where(and(eq(apiKeys.makerId, member.id), isNull(apiKeys.revokedAt)));
      await tx
        .update(webhookEndpoints)
        .set({ enabled: false, disabledReason: 'maker_left' })
        .where(and(eq(webhookEndpoints.makerId, member.id), eq(webhookEndpoints.enabled, true)));
      await recordChange(tx, context.var.caller, { action: 'member.removed', target: member.id }, at);
    });
    return context.body(null, 204);
  });
};

/** @throws {ApiError} `not_found` for a former member, and `conflict` for the owner. */
const findMember = async (tx: Db, workspaceId: string, id: string): Promise<Member> => {
  const isMember = and(eq(members.id, id), eq(members.workspaceId, workspaceId), isNull(members.endedAt));
  const member = await requireRow(tx.select().from(members).where(isMember).for('update'));
  if (member.role === 'owner') throw new ApiError('conflict', { details: 'owner' });
  return member;
};

const serializeMember = ({ id, name, email, role: given, agentIds: agents, createdAt, endedAt }: Member) => {
  return { id, name, email, role: given, agent_ids: agents, created_at: createdAt, ended_at: endedAt };
};
