/** The workspace of a database and its first agent, which the start prints. */
import { asc, eq } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { agents, workspaces } from '../db/schema.ts';

export const firstIds = async (db: Db): Promise<{ workspaceId: string; agentId: string }> => {
  const [first] = await db
    .select({ workspaceId: workspaces.id, agentId: agents.id })
    .from(workspaces)
    .innerJoin(agents, eq(agents.workspaceId, workspaces.id))
    .orderBy(asc(workspaces.createdAt), asc(workspaces.id), asc(agents.createdAt), asc(agents.id))
    .limit(1);
  if (!first) throw new Error('The database has no workspace with an agent.');
  return first;
};
