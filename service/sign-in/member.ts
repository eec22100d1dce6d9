/** The member of the team who signs in. The provider decides the role, and whether a person is new to the team. */
import { and, desc, eq, sql } from 'drizzle-orm';
import { newId } from '../core/ids.ts';
import { roles, type Role } from '../core/roles.ts';
import type { Db } from '../db/database.ts';
import { lockWorkspace } from '../db/row-locks.ts';
import { members } from '../db/schema.ts';
import { recordChange } from '../db/audit.ts';
import type { Person } from './provider.ts';

/** Why a person whom the provider knows may not sign in. */
export type Refusal = 'no_role' | 'former_member';

/** The member of a session, which lasts until they sign out once more. */
interface Admitted {
  memberId: string;
  signOuts: number;
}

/** Each workspace has one owner, whom the provider cannot appoint. */
const roleOf = (given: readonly string[]): Exclude<Role, 'owner'> | undefined => {
  const role = roles.find((each) => given.includes(each));
  return role === 'owner' ? 'admin' : role;
};

/**
 * Returns the member with the person's e-mail address, or the reason of a refusal. A person with a role becomes a
 * member, and a member gets the role of the provider. The owner needs the role of an admin. A person whose membership was ended must be invited again.
 */
export const admitMember = async (
  db: Db,
  workspaceId: string,
  { email, name, roles: given }: Person,
  at: Date,
): Promise<Admitted | { refusal: Refusal }> => {
  const role = roleOf(given);
  if (role === undefined) return { refusal: 'no_role' };
  return db.transaction(async (tx) => {
    // Two sign-ins of one person at the same time wait for each other.
    await lockWorkspace(tx, workspaceId);
    const isPerson = sql`lower(${members.email}) = ${email.toLowerCase()}`;
    const found = await tx
      .select()
      .from(members)
      .where(and(eq(members.workspaceId, workspaceId), isPerson))
      .orderBy(desc(members.createdAt));
    const member = found.find(({ endedAt }) => endedAt === null);
    if (!member && found.length > 0) return { refusal: 'former_member' };
    // The rights of the owner, who is found by the address alone, take more than the lowest role.
    if (member?.role === 'owner' && role !== 'admin') return { refusal: 'no_role' };
    const memberId = member?.id ?? newId('mem');
    const by = { workspaceId, keyId: null, memberId };
    if (!member) {
      await tx.insert(members).values({ id: memberId, workspaceId, name, email, role, agentIds: null, createdAt: at });
      await recordChange(tx, by, { action: 'member.joined', target: memberId, detail: { role } }, at);
    } else if (member.role !== role && member.role !== 'owner') {
      await tx.update(members).set({ role }).where(eq(members.id, memberId));
      const detail = { before: member.role, after: role };
      await recordChange(tx, by, { action: 'member.role_changed', target: memberId, detail }, at);
    }
    return { memberId, signOuts: member?.signOuts ?? 0 };
  });
};

/** Ends every session of a member, so that no copy of a cookie outlives the sign-out. */
export const endSessions = async (db: Db, memberId: string): Promise<void> => {
  await db
    .update(members)
    .set({ signOuts: sql`${members.signOuts} + 1` })
    .where(eq(members.id, memberId));
};
