/** Finds out why no readable response arrived. Loaded with the first failure. */
import { isExampleHost, isMixedContent, isReached } from '../api/reachability.ts';
import { missingSource, watchPolicy } from './policy.ts';

export type ConnectionProblem =
  | 'mixed_content'
  | 'policy_blocks'
  | 'base_url_example'
  | 'unreachable'
  | 'origin_rejected';

const timeout = 10_000;

/** Sends at most one request, without the key. Returns null when the browser is offline. */
export const findConnectionProblem = async (
  baseUrl: string,
  fetch: typeof globalThis.fetch,
): Promise<ConnectionProblem | null> => {
  const service = new URL(baseUrl);
  if (isMixedContent(new URL(location.href), service)) return 'mixed_content';
  const violations = watchPolicy();
  const hasResponded = await isReached({ baseUrl, fetch, timeout });
  const blocked = (await violations()).find((violation) => missingSource(violation, service.origin));
  if (blocked) return 'policy_blocks';
  if (hasResponded) return 'origin_rejected';
  if (!navigator.onLine) return null;
  return isExampleHost(service) ? 'base_url_example' : 'unreachable';
};
