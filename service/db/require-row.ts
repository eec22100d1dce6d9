/** Rows that a request names by their ids. */
import { ApiError } from '../core/errors.ts';
import { canReachAgent, type KeyAccess } from '../core/key-access.ts';

/**
 * Returns the first row of a query.
 * @throws {ApiError} `not_found` when there is none.
 */
export const requireRow = async <Row>(query: PromiseLike<Row[]>): Promise<Row> => {
  const [row] = await query;
  if (row === undefined) throw new ApiError('not_found');
  return row;
};

/** Like `requireRow`. A row of an agent that the key may not reach is not found either. */
export const requireReachable = async <Row extends { agentId: string }>(
  key: KeyAccess,
  query: PromiseLike<Row[]>,
): Promise<Row> => {
  const row = await requireRow(query);
  if (!canReachAgent(key, row.agentId)) throw new ApiError('not_found');
  return row;
};
