/** Who may call the dashboard: a secret key with every scope, or a member with a session, as far as the role allows. */
import { and, eq, isNull } from 'drizzle-orm';
import type { Context } from 'hono';
import { ApiError } from '../core/errors.ts';
import type { Role } from '../core/roles.ts';
import { scopes } from '../core/scopes.ts';
import { members, workspaces } from '../db/schema.ts';
import { authenticate } from '../http/authenticate.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { limitCalls } from '../http/limit-calls.ts';
import type { Caller, TeamEnvironment } from './environment.ts';

const inbox = 'conversations|tickets|requests';

/** What each role may change, below `/team`. Every role may read. */
const changeable: Record<Role, RegExp> = {
  owner: /^/,
  admin: /^/,
  editor: new RegExp(`^/(${inbox}|messages|agents(?!/[^/]+/identity-secret)|ticket-fields|tag-rules)(/|$)`),
  agent: new RegExp(`^/(${inbox})(/|$)`),
  viewer: /^(?!)/,
};

/** @throws {ApiError} When neither a key nor a session allows the call. */
export const authorizeCaller = (dependencies: Dependencies, context: Context<TeamEnvironment>): Promise<Caller> => {
  const isByKey = context.req.header('authorization') !== undefined || !dependencies.signIn;
  return isByKey ? callerOfKey(dependencies, context) : callerOfSession(dependencies, context);
};

const callerOfKey = async (dependencies: Dependencies, context: Context<TeamEnvironment>): Promise<Caller> => {
  const key = await authenticate(dependencies, context);
  await limitCalls(dependencies, context, key, 'team');
  // Unlike the API, the dashboard is part of every plan.
  if (key.kind === 'publishable') throw new ApiError('secret_key_required');
  const missing = scopes.find((scope) => !key.scopes.includes(scope));
  if (missing) throw new ApiError('insufficient_scope', { required_scope: missing });
  if (key.agentIds !== null || key.role !== 'owner') throw new ApiError('maker_role_limit');
  const [owner] = await dependencies.db
    .select({ id: members.id })
    .from(members)
    .where(and(eq(members.workspaceId, key.workspaceId), eq(members.role, 'owner')));
  const { workspaceId, kind, agentIds, plan } = key;
  return { workspaceId, kind, agentIds, plan, keyId: key.id, memberId: key.makerId ?? owner!.id };
};

/** Returns the member of the session, or undefined without one, or when it or the membership has ended since. */
export const memberOfSession = async ({ db, signIn }: Dependencies, context: Context<TeamEnvironment>) => {
  const session = signIn?.cookies.session.read(context);
  if (!session) return undefined;
  const [found] = await db
    .select({ member: members, plan: workspaces.plan })
    .from(members)
    .innerJoin(workspaces, eq(workspaces.id, members.workspaceId))
    .where(and(eq(members.id, session.memberId), eq(members.signOuts, session.signOuts), isNull(members.endedAt)));
  return found;
};

const callerOfSession = async (dependencies: Dependencies, context: Context<TeamEnvironment>): Promise<Caller> => {
  const found = await memberOfSession(dependencies, context);
  if (!found) throw new ApiError('not_signed_in');
  const { id, workspaceId, role, agentIds } = found.member;
  await limitCalls(dependencies, context, { kind: 'secret', id }, 'team');
  // Most pages of the dashboard show the whole workspace.
  if (agentIds !== null) throw new ApiError('role_limit', { details: 'agent_allowlist' });
  const isReading = ['GET', 'HEAD'].includes(context.req.method);
  // A page of another site that uses the cookie. Browsers send the origin with every call that changes something.
  if (!isReading && context.req.header('origin') !== dependencies.signIn!.teamOrigin) {
    throw new ApiError('role_limit', { details: 'foreign_origin' });
  }
  if (!isReading && !changeable[role].test(context.req.path.slice('/team'.length))) {
    throw new ApiError('role_limit', { details: role });
  }
  return { workspaceId, kind: 'secret', agentIds, plan: found.plan, keyId: null, memberId: id };
};
