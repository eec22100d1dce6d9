/** Rejects URLs that PostgreSQL cannot look up, and those that mean another path than they show. */
import { ApiError, invalid } from '../core/errors.ts';
import type { CallContext } from './environment.ts';

/**
 * PostgreSQL accepts no NUL character, so no resource has one in its path.
 * @throws {ApiError} `not_found` for the path, and `validation_error` for a query parameter.
 */
export const rejectNul = ({ req }: CallContext): void => {
  const { pathname, searchParams } = new URL(req.url);
  if (pathname.includes('%00')) throw new ApiError('not_found');
  for (const [name, value] of searchParams) {
    if (value.includes('\0')) throw invalid(name, 'invalid_character', 'A NUL character is not allowed.');
  }
};

const dotSegment = /\/(?:\.|%2e){1,2}(?:\/|$)/i;

/**
 * The URL parser resolves dot segments, also encoded ones: `/api/v2/%2e%2e/%2e%2e/team/inbox` becomes `/team/inbox`. A proxy
 * that compares the beginning of the path would let it through.
 * @throws {ApiError} `not_found` when the path contains dot segments.
 */
export const rejectDotSegments = ({ env }: CallContext): void => {
  const [path = ''] = (env?.incoming?.url ?? '').split(/[?#]/);
  if (dotSegment.test(path)) throw new ApiError('not_found');
};
