/** Finds the API key of a request and checks what the key may do. */
import { eq } from 'drizzle-orm';
import type { Context } from 'hono';
import { ApiError } from '../core/errors.ts';
import { sha256 } from '../core/ids.ts';
import { plans } from '../core/plans.ts';
import { withheldScopes } from '../core/roles.ts';
import type { Scope } from '../core/scopes.ts';
import type { DatabaseContext } from '../db/database.ts';
import { apiKeys, members, workspaces } from '../db/schema.ts';
import type { ApiKey, Environment } from './environment.ts';

/** The scope that an operation requires, a list of which one is enough, or `any` for every secret key. */
export type RequiredScope = Scope | Scope[] | 'any';

export const authenticate = async ({ db, now }: DatabaseContext, context: Context<Environment>): Promise<ApiKey> => {
  const token = /^Bearer +(\S+)$/i.exec(context.req.header('authorization')?.trim() ?? '')?.[1];
  if (token === undefined) throw new ApiError('missing_key');
  const [found] = await db
    .select({ key: apiKeys, plan: workspaces.plan, role: members.role, endedAt: members.endedAt })
    .from(apiKeys)
    .innerJoin(workspaces, eq(workspaces.id, apiKeys.workspaceId))
    .leftJoin(members, eq(members.id, apiKeys.makerId))
    .where(eq(apiKeys.keyHash, sha256(token)));
  if (!found || found.key.revokedAt) throw new ApiError('invalid_key');
  if (found.endedAt) throw new ApiError('key_maker_left');
  const key: ApiKey = { ...found.key, plan: found.plan, role: found.role ?? 'owner' };
  if (key.expiresAt && key.expiresAt.getTime() <= now()) throw new ApiError('expired_key');
  context.set('key', key);
  return key;
};

/** A publishable key reaches the chat operations only, even if it has other scopes. */
export const authorise = (key: ApiKey, required: RequiredScope): void => {
  if (!plans[key.plan].api) throw new ApiError('plan_required', { required_plan: 'team' });
  const accepted = required === 'any' ? [] : [required].flat();
  if (key.kind === 'publishable' && !accepted.includes('chat')) throw new ApiError('secret_key_required');
  if (accepted.length === 0) return;
  const granted = accepted.filter((scope) => key.scopes.includes(scope));
  if (granted.length === 0) throw new ApiError('insufficient_scope', { required_scope: accepted[0]! });
  if (granted.every((scope) => withheldScopes[key.role].includes(scope))) throw new ApiError('maker_role_limit');
};
