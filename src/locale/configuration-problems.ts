/** The sentences about configuration problems: for visitors, and for the site's owner. */
import { findProblem, type ConfigurationProblem } from '../chat/configuration-problem.ts';
import type { Configuration } from '../chat/configuration.ts';
import type { FailureReason } from '../chat/failure-reason.ts';
import type { Problem } from '../chat/state/state.ts';
import type { Language } from './language.ts';

/** The end of a console line for the site's owner. Only a script tag defines the function. */
const doctorHint = (): string => {
  const { WorkspaceChat } = globalThis as { WorkspaceChat?: unknown };
  return typeof WorkspaceChat === 'function'
    ? "→ type WorkspaceChat('doctor') for help"
    : '→ run diagnose() from workspace-chat/doctor for help';
};

/** What visitors see in place of the chat, whatever the problem is. */
export const unavailable: Record<Language, string> = {
  en: 'The chat is not available on this page right now.',
  ar: 'المحادثة غير متاحة على هذه الصفحة حاليًا.',
};

/** What the site's owner reads in the console, in English. */
const configurationSentences: Record<ConfigurationProblem, string> = {
  base_url_missing: 'This chat is not set up yet: it has no “base-url”.',
  base_url_invalid:
    'This chat is not set up correctly: its “base-url” is not an http(s) address, or it is an example or has quotes.',
  key_missing: 'This chat is not set up yet: it has no “publishable-key”.',
  key_secret:
    'This chat has a secret key (svc_sk_…). A secret key must never be on a page: revoke it, and use the publishable key (svc_pk_…).',
  key_website: 'This chat has an agent’s website key (pk_…). Use a publishable key of the workspace (svc_pk_…).',
  key_unknown: 'This chat is not set up correctly: its “publishable-key” does not begin with svc_pk_.',
  key_example: 'This chat has the example key from the docs, or a part of it. Put your own publishable key here.',
  agent_example: 'This chat has the example agent from the docs, or a part of it. Put the id of your own agent here.',
  agent_missing: 'This chat is not set up yet: it has no “agent-id”.',
};

/** What a message's failure shows about the installation. */
type Failure = Exclude<FailureReason, 'no_response'> | ConnectionFailure;

type ConnectionFailure = 'mixed_content' | 'policy_blocks' | 'base_url_example' | 'unreachable' | 'origin_rejected';

const failureSentences: Record<Failure, (configuration: Configuration, problem: Problem) => string> = {
  invalid_key: () => 'The service does not know the key of this chat, or it was revoked',
  expired_key: () => 'The key of this chat has expired',
  key_maker_left: () => 'The key of this chat ended when the teammate who created it left the workspace',
  maker_role_limit: () => 'The role of the teammate who created the key of this chat no longer allows chats',
  insufficient_scope: () => 'The key of this chat lacks the scope “chat”',
  plan_required: () => 'The workspace’s plan does not include the API',
  agent_paused: ({ agentId }) => `The agent ${agentId} is paused`,
  agent_unknown: ({ agentId }) => `The workspace of this key has no agent ${agentId}, or the key has no access to it`,
  prefix_missing: ({ baseUrl }) => `The “base-url” ${baseUrl} lacks the version prefix, such as /api/v2`,
  redirected: ({ baseUrl }) => `The “base-url” ${baseUrl} redirects, and the chat does not follow redirects`,
  service_failing: ({ baseUrl }) => `The service at ${baseUrl} reports an internal error`,
  wrong_address: ({ baseUrl }) => `The “base-url” ${baseUrl} is not the service. It may be a website`,
  rejected: (_, { code }) => `The service rejected a message with “${code}”`,
  mixed_content: ({ baseUrl }) => `This page uses https, so its “base-url” ${baseUrl} must also begin with https://`,
  policy_blocks: ({ baseUrl }) =>
    `The page’s Content-Security-Policy blocks the chat: add ${new URL(baseUrl).origin} to connect-src`,
  base_url_example: ({ baseUrl }) => `The “base-url” ${baseUrl} is the example address from the docs`,
  unreachable: ({ baseUrl }) => `The service at ${baseUrl} does not respond`,
  origin_rejected: ({ baseUrl }) =>
    `${location.origin} cannot read the responses of ${baseUrl}: the site is not an allowed website of the agent, or the URL redirects or is not the service’s`,
};

/** Describes why a message failed. */
export const describeFailure = (failure: Failure, problem: Problem, configuration: Configuration): string => {
  const { status, requestId } = problem;
  const details = status ? ` (HTTP ${status}, ${requestId || 'no request id'})` : '';
  return `workspace-chat: ${failureSentences[failure](configuration, problem)}${details}. ${doctorHint()}`;
};

/** Describes the first problem of a configuration. Returns null when it is valid. */
export const describeProblem = (configuration: Configuration): string | null => {
  const problem = findProblem(configuration);
  return problem && `workspace-chat: ${configurationSentences[problem]} ${doctorHint()}`;
};
