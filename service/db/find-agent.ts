/** Finds the agent that a request names. */
import { and, eq } from 'drizzle-orm';
import { ApiError } from '../core/errors.ts';
import { canReachAgent, type KeyAccess } from '../core/key-access.ts';
import type { Db } from './database.ts';
import type { Agent } from './records.ts';
import { agents } from './schema.ts';

/** @throws {ApiError} `not_found` for an agent of another workspace, or one that the key may not reach. */
export const findAgent = async (db: Db, key: KeyAccess, agentId: string): Promise<Agent> => {
  const [agent] = await db
    .select()
    .from(agents)
    .where(and(eq(agents.id, agentId), eq(agents.workspaceId, key.workspaceId)));
  if (!agent || !canReachAgent(key, agent.id)) throw new ApiError('not_found');
  return agent;
};
