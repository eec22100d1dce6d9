/** Finds out why no readable response arrived. Loaded with the first failure. */
import type { Configuration } from '../chat/configuration.ts';
import { isExampleHost, isMixedContent, isReached } from '../api/reachability.ts';
import { missingSource, watchPolicy } from './policy.ts';

export type ConnectionProblem =
  | 'mixed_content'
  | 'policy_blocks'
  | 'base_url_example'
  | 'unreachable'
  | 'origin_rejected';

const timeout = 10_000;

/** Whether the page can read a response to its key. Then the connection was only interrupted. */
const isReadable = ({ baseUrl, publishableKey }: Configuration, fetch: typeof globalThis.fetch): Promise<boolean> =>
  fetch(`${baseUrl}/me`, {
    headers: { authorization: `Bearer ${publishableKey}` },
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'manual',
    signal: AbortSignal.timeout(timeout),
  }).then(
    () => true,
    () => false,
  );

/** Sends at most two requests. Returns null when the browser is offline, or the connection was only interrupted. */
export const findConnectionProblem = async (
  configuration: Configuration,
  fetch: typeof globalThis.fetch,
): Promise<ConnectionProblem | null> => {
  const { baseUrl } = configuration;
  const service = new URL(baseUrl);
  if (isMixedContent(new URL(location.href), service)) return 'mixed_content';
  const violations = watchPolicy();
  if (await isReadable(configuration, fetch)) return null;
  const hasResponded = await isReached({ baseUrl, fetch, timeout });
  const blocked = (await violations()).find((violation) => missingSource(violation, service.origin));
  if (blocked) return 'policy_blocks';
  if (hasResponded) return 'origin_rejected';
  if (!navigator.onLine) return null;
  return isExampleHost(service) ? 'base_url_example' : 'unreachable';
};
