/** Draws the findings from the evidence: what is well, what is wrong, and what could not be told. */
import type { ConfigurationProblem } from '../../chat/configuration.ts';
import { isLoopback, type Evidence } from './evidence.ts';
import type { Answer } from './probes.ts';

export type CheckName = 'settings' | 'transport' | 'policy' | 'service' | 'origin' | 'key' | 'agent' | 'storage';

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
  | 'redirected'
  | 'wrong_address'
  | 'prefix_wrong'
  | 'service_failing'
  | 'origin_ok'
  | 'origin_local'
  | 'origin_refused'
  | 'key_ok'
  | 'invalid_key'
  | 'expired_key'
  | 'key_maker_left'
  | 'maker_role_limit'
  | 'insufficient_scope'
  | 'plan_required'
  | 'rate_limited'
  | 'agent_ok'
  | 'agent_unasked'
  | 'agent_unknown'
  | 'agent_paused'
  | 'answer_failed'
  | 'storage_ok'
  | 'storage_blocked'
  | 'not_examined';

/** What the sentences of a finding may name. */
export interface Particulars {
  baseUrl: string;
  /** The service's origin. */
  service: string;
  /** The page's own origin. */
  origin: string;
  agentId: string;
  /** HTTP status; 0 when there was none. */
  status: number;
  /** The contract's code; empty when there was none. */
  answer: string;
  directive: string;
  source: string;
}

export interface Diagnosis {
  check: CheckName;
  state: FindingState;
  code: FindingCode;
  particulars: Particulars;
}

type Finding = [state: FindingState, code: FindingCode, ...particulars: Partial<Particulars>[]];

const notExamined: Finding = ['unknown', 'not_examined'];

const keyProblems = [
  'invalid_key',
  'expired_key',
  'key_maker_left',
  'maker_role_limit',
  'insufficient_scope',
  'plan_required',
] as const;

const answeredBy = (...answers: (Answer | null)[]) => answers.filter((answer) => answer?.type === 'answered');

const findService = ({ me, withoutMessage, isReached, isOnline, lacking }: Evidence): Finding => {
  const answers = answeredBy(me, withoutMessage);
  const ours = answers.find(({ code }) => code !== null);
  if (ours && answers.every(({ status }) => status < 500)) {
    // The service answers nothing that begins like this, so its version prefix is missing or another one.
    const isAstray = me?.type === 'answered' && me.code === 'not_found';
    return isAstray ? ['problem', 'prefix_wrong', { status: 404 }] : ['ok', 'service_ok'];
  }
  if (me?.type === 'redirected' || withoutMessage?.type === 'redirected') return ['problem', 'redirected'];
  const failing = answers.find(({ status }) => status >= 500);
  if (failing) return ['problem', 'service_failing', { status: failing.status }];
  const [foreign] = answers;
  if (foreign) return ['problem', 'wrong_address', { status: foreign.status }];
  if (isReached) return ['unknown', 'service_unread'];
  if (lacking?.directive === 'connect-src') return notExamined;
  return ['problem', isOnline ? 'unreachable' : 'offline'];
};

const findOrigin = ({ withoutMessage, isReached, page }: Evidence): Finding => {
  if (withoutMessage?.type === 'answered') {
    return page.origin === 'null' || isLoopback(page) ? ['ok', 'origin_local'] : ['ok', 'origin_ok'];
  }
  return isReached ? ['problem', 'origin_refused'] : notExamined;
};

const findKey = ({ me, withoutMessage }: Evidence): Finding => {
  const answers = answeredBy(withoutMessage, me);
  for (const code of keyProblems) if (answers.some((answer) => answer.code === code)) return ['problem', code];
  if (answers.some(({ status }) => status === 429)) return ['unknown', 'rate_limited'];
  const isGood = answers.some(({ code, status }) => code === 'secret_key_required' || status === 422);
  return isGood ? ['ok', 'key_ok'] : notExamined;
};

const findAgent = ({ continued, question }: Evidence): Finding => {
  const answer = question ?? continued;
  if (!answer) return notExamined;
  if (answer.type !== 'answered') return question ? ['problem', 'answer_failed'] : notExamined;
  const { status, code } = answer;
  if (code === 'agent_unavailable') return ['problem', 'agent_paused'];
  if (code === 'not_found') return ['problem', 'agent_unknown'];
  if (status === 429) return ['unknown', 'rate_limited'];
  if (!question) return ['unknown', 'agent_unasked'];
  return status === 200 ? ['ok', 'agent_ok'] : ['problem', 'answer_failed', { status, answer: code ?? '' }];
};

export const diagnose = (evidence: Evidence): Diagnosis[] => {
  const { configuration, isMixed, lacking, canStore, page } = evidence;
  const isSet = typeof configuration !== 'string';
  const service: Finding = isSet && !isMixed ? findService(evidence) : notExamined;
  const isServed = service[1] === 'service_ok' || service[1] === 'service_unread';
  const findings: Record<CheckName, Finding> = {
    settings: isSet ? ['ok', 'settings_ok'] : ['problem', configuration],
    transport: !isSet ? notExamined : isMixed ? ['problem', 'mixed_content'] : ['ok', 'transport_ok'],
    policy: !isSet || isMixed ? notExamined : lacking ? ['problem', 'policy_blocks', lacking] : ['ok', 'policy_ok'],
    service,
    origin: isServed ? findOrigin(evidence) : notExamined,
    key: isServed ? findKey(evidence) : notExamined,
    agent: isServed ? findAgent(evidence) : notExamined,
    storage: canStore ? ['ok', 'storage_ok'] : ['problem', 'storage_blocked'],
  };
  const { baseUrl, agentId } = isSet ? configuration : { baseUrl: '', agentId: '' };
  const common: Particulars = {
    baseUrl,
    agentId,
    service: baseUrl && new URL(baseUrl).origin,
    origin: page.origin,
    status: 0,
    answer: '',
    directive: '',
    source: '',
  };
  return Object.entries(findings).map(([check, [state, code, particulars]]) => ({
    check: check as CheckName,
    state,
    code,
    particulars: { ...common, ...particulars },
  }));
};
