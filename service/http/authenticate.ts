/** Finds the API key of a request and checks what the key may do. */
import { and, eq, sql } from 'drizzle-orm';
import { ApiError } from '../core/errors.ts';
import { sha256 } from '../core/ids.ts';
import { canReachAgent } from '../core/key-access.ts';
import { plans } from '../core/plans.ts';
import { withheldScopes } from '../core/roles.ts';
import type { Scope } from '../core/scopes.ts';
import { prepared, type DatabaseContext } from '../db/database.ts';
import type { Agent } from '../db/records.ts';
import { agents, apiKeys, members, workspaces } from '../db/schema.ts';
import type { ApiKey, CallContext } from './environment.ts';

/** The scope that an operation requires, a list of which one is enough, or `any` for every secret key. */
export type RequiredScope = Scope | Scope[] | 'any';

/** Also finds the agent in the path of the call, so that a chat call needs no second query. See `agentOfCall`. */
export const authenticate = async ({ db, now }: DatabaseContext, context: CallContext): Promise<ApiKey> => {
  const token = /^Bearer +(\S+)$/i.exec(context.req.header('authorization')?.trim() ?? '')?.[1];
  if (token === undefined) throw new ApiError('missing_key');
  const [found] = await keyQuery(db, { keyHash: sha256(token), agentId: context.req.param('agent_id') ?? '' });
  if (!found || found.key.revokedAt) throw new ApiError('invalid_key');
  if (found.endedAt) throw new ApiError('key_maker_left');
  const key: ApiKey = { ...found.key, plan: found.plan, role: found.role ?? 'owner' };
  if (key.expiresAt && key.expiresAt.getTime() <= now()) throw new ApiError('expired_key');
  context.set('key', key);
  context.set('agent', found.agent && canReachAgent(key, found.agent.id) ? found.agent : null);
  return key;
};

const keyQuery = prepared('key.find', (db) =>
  db
    .select({ key: apiKeys, plan: workspaces.plan, role: members.role, endedAt: members.endedAt, agent: agents })
    .from(apiKeys)
    .innerJoin(workspaces, eq(workspaces.id, apiKeys.workspaceId))
    .leftJoin(members, eq(members.id, apiKeys.makerId))
    .leftJoin(agents, and(eq(agents.id, sql.placeholder('agentId')), eq(agents.workspaceId, apiKeys.workspaceId)))
    .where(eq(apiKeys.keyHash, sql.placeholder('keyHash'))),
);

/** @throws {ApiError} `not_found` for an agent of another workspace, or one that the key may not reach. */
export const agentOfCall = (context: CallContext): Agent => {
  const { agent } = context.var;
  if (!agent) throw new ApiError('not_found');
  return agent;
};

/** A publishable key reaches the chat operations only, even if it has other scopes. */
export const authorize = (key: ApiKey, required: RequiredScope): void => {
  if (!plans[key.plan].api) throw new ApiError('plan_required', { required_plan: 'team' });
  const accepted = required === 'any' ? [] : [required].flat();
  if (key.kind === 'publishable' && !accepted.includes('chat')) throw new ApiError('secret_key_required');
  if (accepted.length === 0) return;
  const granted = accepted.filter((scope) => key.scopes.includes(scope));
  if (granted.length === 0) throw new ApiError('insufficient_scope', { required_scope: accepted[0]! });
  if (granted.every((scope) => withheldScopes[key.role].includes(scope))) throw new ApiError('maker_role_limit');
};
