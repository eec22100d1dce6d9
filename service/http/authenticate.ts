/** Who is calling, and whether the key they hold may make this call at all. */
import { eq } from 'drizzle-orm';
import type { Context } from 'hono';
import { apiKeys, members, workspaces } from '../db/schema.ts';
import type { ApiKey, Environment, Dependencies } from './environment.ts';
import { ApiError } from '../core/errors.ts';
import { plans } from '../core/plans.ts';
import { sha256 } from '../core/ids.ts';
import { withheldScopes } from '../core/roles.ts';
import type { Scope } from '../core/scopes.ts';

/** What an operation asks of a key: a scope, any one of several (the first is named), or merely to be a secret one. */
export type Needs = Scope | Scope[] | 'any';

export const authenticate = async (dependencies: Dependencies, context: Context<Environment>): Promise<ApiKey> => {
  const token = /^Bearer +(\S+)$/i.exec(context.req.header('authorization')?.trim() ?? '')?.[1];
  if (token === undefined) throw new ApiError('missing_key');
  const [found] = await dependencies.db
    .select({ key: apiKeys, plan: workspaces.plan, role: members.role, endedAt: members.endedAt })
    .from(apiKeys)
    .innerJoin(workspaces, eq(workspaces.id, apiKeys.workspaceId))
    .leftJoin(members, eq(members.id, apiKeys.makerId))
    .where(eq(apiKeys.keyHash, sha256(token)));
  if (!found || found.key.revokedAt) throw new ApiError('invalid_key');
  if (found.endedAt) throw new ApiError('key_maker_left');
  const key: ApiKey = { ...found.key, plan: found.plan, role: found.role ?? 'owner' };
  if (key.expiresAt && key.expiresAt.getTime() <= dependencies.now()) throw new ApiError('expired_key');
  context.set('key', key);
  return key;
};

/** A publishable key reaches the chat operations only, whatever its scopes say. */
export const authorise = (key: ApiKey, needs: Needs): void => {
  if (!plans[key.plan].api) throw new ApiError('plan_required', { required_plan: 'team' });
  const wanted = needs === 'any' ? [] : [needs].flat();
  if (key.kind === 'publishable' && !wanted.includes('chat')) throw new ApiError('secret_key_required');
  if (wanted.length === 0) return;
  const held = wanted.filter((scope) => key.scopes.includes(scope));
  if (held.length === 0) throw new ApiError('insufficient_scope', { required_scope: wanted[0]! });
  if (held.every((scope) => withheldScopes[key.role].includes(scope))) throw new ApiError('maker_role_limit');
};

/** For what concerns the whole workspace: a key limited to some agents may not. */
export const reachesAll = (key: ApiKey): void => {
  if (key.agentIds !== null) throw new ApiError('insufficient_scope', { details: 'agent_allowlist' });
};

/** Whether the key's allowlist lets it see an agent. */
export const reaches = (key: ApiKey, agentId: string): boolean => {
  return key.agentIds === null || key.agentIds.includes(agentId);
};
