/** The text limit of an agent's plan. */
import { and, eq, ne, sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { sources } from '../db/schema.ts';
import { ApiError } from '../core/errors.ts';
import { plans, type Plan } from '../core/plans.ts';

/** Counts sources that are not indexed yet too, so that several saves at once cannot exceed the limit. */
export const textAllowance = async (db: Db, agentId: string, plan: Plan, characters: number, except = '') => {
  const [sum] = await db
    .select({
      used: sql<number>`coalesce(sum(greatest(${sources.extractedChars}, ${sources.contentCharacters})), 0)::int`,
    })
    .from(sources)
    .where(and(eq(sources.agentId, agentId), ne(sources.id, except)));
  const limit = plans[plan].text;
  const used = sum!.used;
  return { fits: used + characters <= limit, limit, used };
};

/** @throws {ApiError} `plan_text_limit` */
export const requireTextAllowance = async (
  db: Db,
  agentId: string,
  plan: Plan,
  characters: number,
  except = '',
): Promise<void> => {
  const { fits, limit, used } = await textAllowance(db, agentId, plan, characters, except);
  if (!fits) throw new ApiError('plan_text_limit', { limit_chars: limit, used_chars: used });
};
