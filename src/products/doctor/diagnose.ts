/** Derives the findings from the evidence. */
import type { ConfigurationProblem } from './configuration-problem.ts';
import { isExampleHost, isLoopback } from '../../api/reachability.ts';
import type { Configuration } from '../../chat/configuration.ts';
import type { Evidence } from './evidence.ts';
import type { ProbeResult } from './probes.ts';

export type CheckName =
  | 'settings'
  | 'transport'
  | 'policy'
  | 'service'
  | 'origin'
  | 'key'
  | 'agent'
  | 'storage'
  | 'languages'
  | 'page'
  | 'attributes'
  | 'theme';

export type FindingState = 'ok' | 'problem' | 'unknown';

export type FindingCode =
  | ConfigurationProblem
  | 'settings_ok'
  | 'transport_ok'
  | 'mixed_content'
  | 'policy_ok'
  | 'policy_blocks'
  | 'service_ok'
  | 'service_unread'
  | 'offline'
  | 'unreachable'
  | 'base_url_example'
  | 'redirected'
  | 'wrong_address'
  | 'prefix_wrong'
  | 'service_failing'
  | 'origin_ok'
  | 'origin_local'
  | 'origin_rejected'
  | 'key_ok'
  | 'invalid_key'
  | 'expired_key'
  | 'key_maker_left'
  | 'maker_role_limit'
  | 'insufficient_scope'
  | 'plan_required'
  | 'rate_limited'
  | 'agent_ok'
  | 'agent_not_asked'
  | 'agent_unknown'
  | 'agent_paused'
  | 'question_failed'
  | 'message_rejected'
  | 'storage_ok'
  | 'storage_blocked'
  | 'languages_ok'
  | 'languages_incomplete'
  | 'language_missing'
  | 'chat_missing'
  | 'attributes_invalid'
  | 'theme_invalid'
  | 'not_examined';

/** The values that the sentence of a finding may contain. */
export interface FindingValues {
  baseUrl: string;
  /** The service's origin. */
  service: string;
  /** The page's own origin. */
  origin: string;
  agentId: string;
  /** The HTTP status, or 0 when there was no response. */
  status: number;
  /** The contract's error code, or an empty string. */
  response: string;
  directive: string;
  source: string;
  /** The texts that registered languages lack, such as `fr: heading, problems.timeout`. */
  missing: string;
  /** The tag of the chat's language. */
  language: string;
  /** The attributes, or the declarations of custom properties, that are not valid. */
  invalid: string;
}

export interface Diagnosis {
  check: CheckName;
  state: FindingState;
  code: FindingCode;
  values: FindingValues;
}

type Finding = [state: FindingState, code: FindingCode, ...values: Partial<FindingValues>[]];

const notExamined: Finding = ['unknown', 'not_examined'];

export const keyProblems = [
  'invalid_key',
  'expired_key',
  'key_maker_left',
  'maker_role_limit',
  'insufficient_scope',
  'plan_required',
] as const;

const responsesOf = (...responses: (ProbeResult | null)[]) =>
  responses.filter((response) => response?.type === 'response');

const findService = ({ configuration, me, withoutMessage, isReached, isOnline, lacking }: Evidence): Finding => {
  const responses = responsesOf(me, withoutMessage);
  const ours = responses.find(({ code }) => code !== null);
  if (ours && responses.every(({ status }) => status < 500)) {
    // The service rejects every path without its version prefix, so the prefix is missing or wrong.
    const isPrefixWrong = me?.type === 'response' && me.code === 'not_found';
    return isPrefixWrong ? ['problem', 'prefix_wrong', { status: 404 }] : ['ok', 'service_ok'];
  }
  if (me?.type === 'redirected' || withoutMessage?.type === 'redirected') return ['problem', 'redirected'];
  const failing = responses.find(({ status }) => status >= 500);
  if (failing) return ['problem', 'service_failing', { status: failing.status }];
  const [foreign] = responses;
  if (foreign) return ['problem', 'wrong_address', { status: foreign.status }];
  if (isReached) return ['unknown', 'service_unread'];
  if (lacking?.directive === 'connect-src') return notExamined;
  if (!isOnline) return ['problem', 'offline'];
  const isExample = typeof configuration !== 'string' && isExampleHost(new URL(configuration.baseUrl));
  return ['problem', isExample ? 'base_url_example' : 'unreachable'];
};

const findOrigin = ({ withoutMessage, isReached, page }: Evidence): Finding => {
  if (withoutMessage?.type === 'response') {
    return !page.protocol.startsWith('http') || isLoopback(page) ? ['ok', 'origin_local'] : ['ok', 'origin_ok'];
  }
  return isReached ? ['problem', 'origin_rejected'] : notExamined;
};

const findKey = ({ me, withoutMessage }: Evidence): Finding => {
  const responses = responsesOf(withoutMessage, me);
  for (const code of keyProblems) if (responses.some((response) => response.code === code)) return ['problem', code];
  if (responses.some(({ status }) => status === 429)) return ['unknown', 'rate_limited'];
  const isGood = responses.some(({ code, status }) => code === 'secret_key_required' || status === 422);
  return isGood ? ['ok', 'key_ok'] : notExamined;
};

const findAgent = ({ continued, question }: Evidence): Finding => {
  const response = question ?? continued;
  if (!response) return notExamined;
  if (response.type !== 'response') return question ? ['problem', 'question_failed'] : notExamined;
  const { status, code } = response;
  if (code === 'agent_unavailable') return ['problem', 'agent_paused'];
  if (code === 'not_found') return ['problem', 'agent_unknown'];
  if (status === 429) return ['unknown', 'rate_limited'];
  if (!question) return ['unknown', 'agent_not_asked'];
  return status === 200 ? ['ok', 'agent_ok'] : ['problem', 'question_failed', { status, response: code ?? '' }];
};

/** Checks the languages that the page has registered, if there are any, and the one that it is written in. */
const findLanguages = ({ languages, missingLanguage }: Evidence): { languages?: Finding } => {
  if (missingLanguage) return { languages: ['unknown', 'language_missing', { language: missingLanguage }] };
  if (languages.length === 0) return {};
  const missing = languages
    .filter(({ missing: keys }) => keys.length > 0)
    .map(({ tag, missing: keys }) => `${tag}: ${keys.join(', ')}`)
    .join('; ');
  return { languages: missing ? ['problem', 'languages_incomplete', { missing }] : ['ok', 'languages_ok'] };
};

const list = (code: FindingCode, invalid: readonly string[]): Finding => [
  'problem',
  code,
  { invalid: invalid.join('; ') },
];

/** Names what has no effect in this page, if there is anything. */
const findInPage = ({
  hasChat,
  invalidAttributes,
  invalidProperties,
}: Evidence): Partial<Record<CheckName, Finding>> => ({
  ...(hasChat ? {} : { page: ['unknown', 'chat_missing'] }),
  ...(invalidAttributes.length === 0 ? {} : { attributes: list('attributes_invalid', invalidAttributes) }),
  ...(invalidProperties.length === 0 ? {} : { theme: list('theme_invalid', invalidProperties) }),
});

/** Returns what every sentence may contain: the settings, and the page. */
export const valuesOf = (configuration: Configuration | null, page: URL): FindingValues => {
  const { baseUrl, agentId } = configuration ?? { baseUrl: '', agentId: '' };
  return {
    baseUrl,
    agentId,
    service: baseUrl && new URL(baseUrl).origin,
    origin: page.origin,
    status: 0,
    response: '',
    directive: '',
    source: '',
    missing: '',
    language: '',
    invalid: '',
  };
};

export const diagnose = (evidence: Evidence): Diagnosis[] => {
  const { configuration, isMixed, lacking, canStore, page } = evidence;
  const isSet = typeof configuration !== 'string';
  const service: Finding = isSet && !isMixed ? findService(evidence) : notExamined;
  const isServed = service[1] === 'service_ok' || service[1] === 'service_unread';
  const findings: Partial<Record<CheckName, Finding>> = {
    settings: isSet ? ['ok', 'settings_ok'] : ['problem', configuration],
    transport: !isSet ? notExamined : isMixed ? ['problem', 'mixed_content'] : ['ok', 'transport_ok'],
    policy: !isSet || isMixed ? notExamined : lacking ? ['problem', 'policy_blocks', lacking] : ['ok', 'policy_ok'],
    service,
    origin: isServed ? findOrigin(evidence) : notExamined,
    key: isServed ? findKey(evidence) : notExamined,
    agent: isServed ? findAgent(evidence) : notExamined,
    storage: canStore ? ['ok', 'storage_ok'] : ['problem', 'storage_blocked'],
    ...findLanguages(evidence),
    ...findInPage(evidence),
  };
  const common = valuesOf(isSet ? configuration : null, page);
  return Object.entries(findings).map(([check, [state, code, values]]) => ({
    check: check as CheckName,
    state,
    code,
    values: { ...common, ...values },
  }));
};
