/** Gathers, on this page and from the service, what the findings are drawn from. */
import { checkConfiguration, type Configuration, type ConfigurationProblem } from '../../chat/configuration.ts';
import { missingSource, type Violation } from './policy.ts';
import {
  askAQuestion,
  askMe,
  askToContinue,
  askWithoutMessage,
  isReached,
  type Answer,
  type Target,
} from './probes.ts';

/** The page and its browser. */
export interface Surroundings {
  fetch: typeof fetch;
  /** Milliseconds until a request is given up. */
  patience: number;
  /** The page's address. */
  page: URL;
  isOnline: boolean;
  watchPolicy: () => () => Promise<Violation[]>;
  canStore: () => Promise<boolean>;
}

export interface Evidence {
  configuration: Configuration | ConfigurationProblem;
  page: URL;
  isOnline: boolean;
  isMixed: boolean;
  /** What the page's policy lacks, if it lacks anything. */
  lacking: { directive: string; source: string } | null;
  canStore: boolean;
  /** Null where nobody asked. */
  me: Answer | null;
  withoutMessage: Answer | null;
  continued: Answer | null;
  question: Answer | null;
  isReached: boolean | null;
}

/** Browsers take their own computer for safe, whatever the scheme. */
export const isLoopback = ({ hostname }: URL): boolean =>
  /^(.+\.)?localhost$|^127\.\d+\.\d+\.\d+$|^\[::1\]$/.test(hostname);

export const gather = async (
  settings: Configuration,
  around: Surroundings,
  asks: { question: boolean; locale: 'en' | 'ar' },
): Promise<Evidence> => {
  const { page, isOnline, fetch, patience } = around;
  const configuration = checkConfiguration(settings);
  const evidence: Evidence = {
    configuration,
    page,
    isOnline,
    isMixed: false,
    lacking: null,
    canStore: await around.canStore(),
    me: null,
    withoutMessage: null,
    continued: null,
    question: null,
    isReached: null,
  };
  // A secret key goes nowhere, not even to be examined.
  if (typeof configuration === 'string') return evidence;

  const service = new URL(configuration.baseUrl);
  evidence.isMixed = page.protocol === 'https:' && service.protocol === 'http:' && !isLoopback(service);
  if (evidence.isMixed) return evidence;

  const target: Target = { ...configuration, fetch, patience };
  const violations = around.watchPolicy();
  [evidence.me, evidence.withoutMessage] = await Promise.all([askMe(target), askWithoutMessage(target)]);
  const { me, withoutMessage } = evidence;
  if (me.type === 'failed' || withoutMessage.type === 'failed') evidence.isReached = await isReached(target);
  if (withoutMessage.type === 'answered' && withoutMessage.status === 422) {
    evidence.continued = await askToContinue(target);
    if (asks.question) evidence.question = await askAQuestion(target, asks.locale);
  }
  for (const violation of await violations()) evidence.lacking ??= missingSource(violation, service.origin);
  return evidence;
};
