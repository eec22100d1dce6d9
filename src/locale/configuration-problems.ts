/** The sentences about configuration problems: for visitors, and for the site's owner. */
import { findProblem, type ConfigurationProblem } from '../chat/configuration-problem.ts';
import type { Configuration } from '../chat/configuration.ts';
import type { Problem } from '../chat/state/state.ts';
import type { Language } from './language.ts';

/** The end of a console message for the site's owner. */
const doctorHint = "→ Type WorkspaceChat('doctor') for help.";

/** What visitors see in place of the chat, whatever the problem is. */
export const unavailable: Record<Language, string> = {
  en: 'The chat is not available on this page right now.',
  ar: 'المحادثة غير متاحة على هذه الصفحة حاليًا.',
};

/** What the site's owner reads in the console, in English. */
const configurationSentences: Record<ConfigurationProblem, string> = {
  base_url_missing: 'This chat is not set up yet: it has no “base-url”.',
  base_url_invalid: 'This chat is not set up correctly: its “base-url” is not an http(s) address.',
  key_missing: 'This chat is not set up yet: it has no “publishable-key”.',
  key_secret:
    'This chat has a secret key (svc_sk_…). A secret key must never be on a page: revoke it, and use the publishable key (svc_pk_…).',
  key_website: 'This chat has an agent’s website key (pk_…). Use a publishable key of the workspace (svc_pk_…).',
  key_unknown: 'This chat is not set up correctly: its “publishable-key” does not begin with svc_pk_.',
  key_example: 'This chat has the example key from the docs, or a part of it. Put your own publishable key here.',
  agent_example: 'This chat has the example agent from the docs, or a part of it. Put the id of your own agent here.',
  agent_missing: 'This chat is not set up yet: it has no “agent-id”.',
};

/** Describes a response that rejected a message. */
export const describeRejection = ({ code, status, requestId }: Problem): string =>
  `workspace-chat: the service responded with “${code}” (HTTP ${status}, ${requestId || 'no request id'}). ${doctorHint}`;

/** Describes the first problem of a configuration. Returns null when it is valid. */
export const describeProblem = (configuration: Configuration): string | null => {
  const problem = findProblem(configuration);
  return problem && `workspace-chat: ${configurationSentences[problem]} ${doctorHint}`;
};
