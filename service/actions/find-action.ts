/** Finds the action that a request names. */
import { and, eq } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import type { Agent, StoredAction } from '../db/records.ts';
import { requireRow } from '../db/require-row.ts';
import { actions } from '../db/schema.ts';

/** @throws {ApiError} `not_found` for an action of another agent. */
export const findAction = (db: Db, agent: Agent, id: string): Promise<StoredAction> => {
  const isAction = and(eq(actions.id, id), eq(actions.agentId, agent.id));
  return requireRow(db.select().from(actions).where(isAction));
};
