/** Collects the evidence for the findings, from this page and from the service. */
import { findProblem, type ConfigurationProblem } from './configuration-problem.ts';
import { checkConfiguration, type Configuration } from '../../chat/configuration.ts';
import { isMixedContent, isReached } from '../../api/reachability.ts';
import { missingSource, watchPolicy } from './policy.ts';
import {
  probeQuestion,
  probeAccount,
  probeConversation,
  probeEmptyMessage,
  type ProbeResult,
  type Target,
} from './probes.ts';
import { canStore } from './storage-probe.ts';

export interface RegisteredLanguage {
  tag: string;
  missing: string[];
}

/** What is found in the page itself. */
export interface PageEvidence {
  /** The languages that the page has registered, each with the keys of the strings that it lacks. */
  languages: RegisteredLanguage[];
  /** The tag of the language of the page, or of the chat, if the chat has no texts in it. */
  missingLanguage: string | null;
  /** Whether the page has a chat. */
  hasChat: boolean;
  /** The attributes that have no effect. */
  invalidAttributes: string[];
  /** The declarations of custom properties that are not valid. */
  invalidProperties: string[];
}

/** The evidence of a page that is not examined. */
export const unexaminedPage: PageEvidence = {
  languages: [],
  missingLanguage: null,
  hasChat: true,
  invalidAttributes: [],
  invalidProperties: [],
};

export interface Evidence extends PageEvidence {
  configuration: Configuration | ConfigurationProblem;
  page: URL;
  isOnline: boolean;
  isMixed: boolean;
  /** What the page's Content-Security-Policy would have to allow, if it blocks anything. */
  lacking: { directive: string; source: string } | null;
  canStore: boolean;
  /** Null when no question was asked. */
  me: ProbeResult | null;
  withoutMessage: ProbeResult | null;
  continued: ProbeResult | null;
  question: ProbeResult | null;
  isReached: boolean | null;
}

/** What the doctor may send: nothing that reaches the chat, requests that the chat rejects, or a real question as well. */
export type Probing = 'connection' | 'rejected' | 'question';

export const collectEvidence = async (
  settings: Configuration,
  ofPage: PageEvidence,
  fetch: typeof globalThis.fetch,
  probing: Probing,
  locale: 'en' | 'ar',
): Promise<Evidence> => {
  const page = new URL(location.href);
  const configuration = checkConfiguration(settings) ?? findProblem(settings)!;
  const evidence: Evidence = {
    ...ofPage,
    configuration,
    page,
    isOnline: navigator.onLine,
    isMixed: false,
    lacking: null,
    canStore: await canStore(),
    me: null,
    withoutMessage: null,
    continued: null,
    question: null,
    isReached: null,
  };
  // Never send a secret key, not even for a diagnosis.
  if (typeof configuration === 'string') return evidence;

  const service = new URL(configuration.baseUrl);
  evidence.isMixed = isMixedContent(page, service);
  if (evidence.isMixed) return evidence;

  const target: Target = { ...configuration, fetch, timeout: 10_000 };
  const violations = watchPolicy();
  [evidence.me, evidence.withoutMessage] = await Promise.all([
    probeAccount(target),
    probing === 'connection' ? null : probeEmptyMessage(target),
  ]);
  const { me, withoutMessage } = evidence;
  if (me.type === 'failed' || withoutMessage?.type === 'failed') evidence.isReached = await isReached(target);
  if (withoutMessage?.type === 'response' && withoutMessage.status === 422) {
    evidence.continued = await probeConversation(target);
    if (probing === 'question') evidence.question = await probeQuestion(target, locale);
  }
  for (const violation of await violations()) evidence.lacking ??= missingSource(violation, service.origin);
  return evidence;
};
