/** Explains a failed message to the site's owner, in one line of the console. Loaded with the first failure. */
import type { Configuration } from '../chat/configuration.ts';
import { failureReason } from '../chat/failure-reason.ts';
import type { Problem } from '../chat/state/state.ts';
import { describeFailure } from '../locale/configuration-problems.ts';
import { findConnectionProblem } from './connection-problem.ts';

/** Examining a connection takes requests, so it happens once: a service that is down gets no further load. */
let isConnectionExamined = false;

/** @param fetch Examines a connection that failed. Null in a conversation: it has worked, so the installation is right. */
export const reportFailure = async (
  problem: Problem,
  configuration: Configuration,
  fetch: typeof globalThis.fetch | null,
): Promise<void> => {
  const reason = failureReason(problem, configuration.baseUrl);
  if (reason !== 'no_response') {
    if (reason) console.warn(describeFailure(reason, problem, configuration));
    return;
  }
  if (isConnectionExamined || !fetch) return;
  isConnectionExamined = true;
  const found = await findConnectionProblem(configuration, fetch);
  if (found) console.warn(describeFailure(found, problem, configuration));
};
