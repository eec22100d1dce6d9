/** Who is calling, and whether the key they hold may make this call at all. */
import { eq } from 'drizzle-orm';
import type { Context } from 'hono';
import { apiKeys } from '../db/schema.ts';
import type { ApiKey, Environment, Parts } from './environment.ts';
import { ApiError } from './errors.ts';
import { sha256 } from './identifiers.ts';
import type { Scope } from './scopes.ts';

/** What an operation asks of a key: a scope, or merely to be a secret one. */
export type Needs = Scope | 'any';

export async function authenticate(parts: Parts, context: Context<Environment>): Promise<ApiKey> {
  const token = /^Bearer +(\S+)$/i.exec(context.req.header('authorization')?.trim() ?? '')?.[1];
  if (token === undefined) throw new ApiError('missing_key');
  const [key] = await parts.db
    .select()
    .from(apiKeys)
    .where(eq(apiKeys.keyHash, sha256(token)));
  if (!key || key.revokedAt) throw new ApiError('invalid_key');
  if (key.expiresAt && key.expiresAt.getTime() <= parts.now()) throw new ApiError('expired_key');
  context.set('key', key);
  return key;
}

/** A publishable key reaches the chat operations only, whatever its scopes say. */
export function authorise(key: ApiKey, needs: Needs): void {
  if (key.kind === 'publishable' && needs !== 'chat') throw new ApiError('secret_key_required');
  if (needs !== 'any' && !key.scopes.includes(needs)) {
    throw new ApiError('insufficient_scope', { required_scope: needs });
  }
}

/** Whether the key's allowlist lets it see an agent. */
export function reaches(key: ApiKey, agentId: string): boolean {
  return key.agentIds === null || key.agentIds.includes(agentId);
}
