/** Explains to the site's owner, in one line of the console, why a chat does not start or a message failed. */
import type { Configuration } from '../../chat/configuration.ts';
import type { Problem } from '../../chat/state/state.ts';
import { findProblem } from './configuration-problem.ts';
import { keyProblems, valuesOf, type FindingCode, type FindingValues } from './diagnose.ts';
import { examine } from './doctor.ts';
import { sentences } from './en.ts';
import { unexaminedPage } from './evidence.ts';

/** The end of a line. Only a script tag defines the function, and a webview can import no package. */
const doctorHint = (): string => {
  const { WorkspaceChat, workspaceChat } = globalThis as { WorkspaceChat?: unknown; workspaceChat?: unknown };
  if (typeof WorkspaceChat === 'function') return "→ type WorkspaceChat('doctor') for help";
  return workspaceChat ? '' : '→ run diagnose() from workspace-chat/doctor for help';
};

/** The page's URL. A server that creates a conversation has none. */
const page = (): URL => new URL(globalThis.location?.href ?? 'about:blank');

/** Console lines are in English, whatever the language of the page. */
const toLine = (code: FindingCode, values: FindingValues, details = ''): string => {
  const { message, fix } = sentences.findings[code](values);
  return ['workspace-chat:', message, fix, details, doctorHint()].filter(Boolean).join(' ');
};

/** Describes the first problem of a configuration. Returns null when it is valid. */
export const describeConfiguration = (configuration: Configuration): string | null => {
  const problem = findProblem(configuration);
  return problem && toLine(problem, valuesOf(null, page()));
};

/**
 * Names the mistake in an installation that made a message fail. Returns null for a failure that no change of the installation
 * can prevent, and `no_response` when no response arrived or the page could not read it.
 */
export const failureOf = ({ code, status }: Problem, baseUrl: string): FindingCode | 'no_response' | null => {
  const keyProblem = keyProblems.find((each) => each === code);
  if (keyProblem) return keyProblem;
  if (code === 'network') return 'no_response';
  if (code === 'agent_unavailable') return 'agent_paused';
  // The service responds to an unknown agent and to an unknown path in the same way.
  if (code === 'not_found') return /\/v\d+$/.test(baseUrl) ? 'agent_unknown' : 'prefix_wrong';
  // Browsers hide the status of a redirect that is not followed.
  if (code === 'unexpected_response' && status === 0) return 'redirected';
  if (status >= 500) return 'service_failing';
  if (code === 'unexpected_response') return 'wrong_address';
  return status < 400 || status === 429 ? null : 'message_rejected';
};

/** Examining a connection takes requests, so it happens once: a service that is down gets no further load. */
let isConnectionExamined = false;

/** @param fetch Examines a connection that failed. Null in a conversation: it has worked, so the installation is right. */
export const reportFailure = async (
  problem: Problem,
  configuration: Configuration,
  fetch: typeof globalThis.fetch | null,
): Promise<void> => {
  const { code, status, requestId } = problem;
  const failure = failureOf(problem, configuration.baseUrl);
  if (failure !== 'no_response') {
    const values = { ...valuesOf(configuration, page()), status, response: code };
    const details = status ? `(HTTP ${status}, ${requestId || 'no request id'})` : '';
    if (failure) console.warn(toLine(failure, values, details));
    return;
  }
  if (isConnectionExamined || !fetch) return;
  isConnectionExamined = true;
  const diagnoses = await examine(configuration, unexaminedPage, fetch, 'connection');
  // Neither is a mistake in the installation: the connection of the visitor, and a browser that stores nothing.
  const found = diagnoses.find(
    (each) => each.state === 'problem' && each.code !== 'offline' && each.check !== 'storage',
  );
  if (found) console.warn(toLine(found.code, found.values));
};
