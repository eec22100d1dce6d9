/** Collects the evidence for the findings, from this page and from the service. */
import { findProblem, type ConfigurationProblem } from './configuration-problem.ts';
import { checkConfiguration, type Configuration } from '../../chat/configuration.ts';
import { isMixedContent, isReached } from '../../api/reachability.ts';
import { missingSource, type Violation } from './policy.ts';
import {
  probeQuestion,
  probeAccount,
  probeConversation,
  probeEmptyMessage,
  type ProbeResult,
  type Target,
} from './probes.ts';

/** The page and its browser. */
export interface DoctorEnvironment {
  fetch: typeof fetch;
  /** The timeout of a request in milliseconds. */
  timeout: number;
  /** The page's URL. */
  page: URL;
  isOnline: boolean;
  watchPolicy: () => () => Promise<Violation[]>;
  canStore: () => Promise<boolean>;
  /** The languages that the page has registered, each with the keys of the strings that it lacks. */
  languages: () => Promise<RegisteredLanguage[]>;
  /** The tag of the language of the page, or of the chat, if the chat has no texts in it. */
  missingLanguage: () => string | null;
  /** Whether the page has a chat. */
  hasChat: () => boolean;
  /** The attributes that have no effect. */
  invalidAttributes: () => string[];
  /** The declarations of custom properties that are not valid. */
  invalidProperties: () => string[];
}

export interface RegisteredLanguage {
  tag: string;
  missing: string[];
}

export interface Evidence {
  configuration: Configuration | ConfigurationProblem;
  page: URL;
  isOnline: boolean;
  isMixed: boolean;
  /** What the page's Content-Security-Policy would have to allow, if it blocks anything. */
  lacking: { directive: string; source: string } | null;
  canStore: boolean;
  languages: RegisteredLanguage[];
  missingLanguage: string | null;
  hasChat: boolean;
  invalidAttributes: string[];
  invalidProperties: string[];
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
  environment: DoctorEnvironment,
  probing: Probing,
  locale: 'en' | 'ar',
): Promise<Evidence> => {
  const { page, isOnline, fetch, timeout } = environment;
  const configuration = checkConfiguration(settings) ?? findProblem(settings)!;
  const evidence: Evidence = {
    configuration,
    page,
    isOnline,
    isMixed: false,
    lacking: null,
    canStore: await environment.canStore(),
    languages: await environment.languages(),
    missingLanguage: environment.missingLanguage(),
    hasChat: environment.hasChat(),
    invalidAttributes: environment.invalidAttributes(),
    invalidProperties: environment.invalidProperties(),
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

  const target: Target = { ...configuration, fetch, timeout };
  const violations = environment.watchPolicy();
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
