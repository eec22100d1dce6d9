/** Decides what follows after a failed attempt of a turn, so that nothing is sent twice and nothing is lost. */
import { backoff, parseRetryAfter } from '../api/retry-delay.ts';
import type { ApiError } from '../api/errors.ts';
import type { VisitorMessage, WaitReason } from './state/state.ts';
import type { TurnHost } from './turn-host.ts';

export type Recovery =
  /** Try again after `delay` milliseconds. */
  | { kind: 'wait'; reason: WaitReason; delay: number }
  /** The conversation is over: start a new one with the same message. */
  | { kind: 'restart' }
  /** The service rejected the proof of identity: request a new one from the page. */
  | { kind: 'renew-proof' }
  | { kind: 'fail' };

/** The state of a turn's attempts. Each attempt replaces it. */
export interface Attempt {
  readonly mode: 'streamed' | 'plain';
  /** Whether an attempt with the same Idempotency-Key may have arrived. */
  readonly mayHaveArrived: boolean;
  /** The recoveries after earlier attempts of this turn, in order. */
  readonly recoveries: readonly Recovery['kind'][];
}

const maxWaits = 5;
const maxRewaits = 4;
/** Seconds. A longer `Retry-After` is cut to it, so that a mistaken value does not block the visitor for hours. */
const maxRetryAfter = 300;
const defaultRetryAfter = 5;

const endings = new Set(['conversation_expired', 'conversation_not_found', 'not_found']);

/** Decides what follows after a failed attempt. */
export const recover = (error: ApiError, attempt: Attempt, host: TurnHost): Recovery => {
  const { code, stage, status } = error;
  const { mode, mayHaveArrived, recoveries } = attempt;
  const { archive, clock, random, visitor } = host;
  const waits = recoveries.filter((kind) => kind === 'wait').length;
  // Only the plain call carries an Idempotency-Key, which makes a repetition harmless.
  const isRepeatable = stage === 'unconfirmed' && mode === 'plain';
  if ((isRepeatable || code === 'idempotency_in_progress') && waits < maxRewaits) {
    return { kind: 'wait', reason: 'retrying', delay: backoff(waits, random) };
  }
  if (stage !== 'refused') return { kind: 'fail' };

  if ((status === 429 || status === 503) && waits < maxWaits) {
    const seconds = parseRetryAfter(error.retryAfter, clock.now()) ?? defaultRetryAfter * 2 ** waits;
    const reason = mayHaveArrived ? 'retrying' : status === 429 ? 'rate_limited' : 'unavailable';
    // Add a random second, so that waiting clients do not all return in the same moment.
    return { kind: 'wait', reason, delay: Math.min(seconds, maxRetryAfter) * 1000 + Math.round(random() * 1000) };
  }
  // Any other recovery would make another call, which the service may process a second time.
  if (mayHaveArrived) return { kind: 'fail' };
  // Without a status, the page itself has provided no proof.
  const isProofRejected = code === 'identity_rejected' && status > 0;
  if (isProofRejected && visitor.canRenewProof && !recoveries.includes('renew-proof')) return { kind: 'renew-proof' };
  const isOver = endings.has(code) || code === 'identity_mismatch';
  if (isOver && archive.credentials !== null && !recoveries.includes('restart')) return { kind: 'restart' };
  return { kind: 'fail' };
};

/** Tells the visitor that the next message starts a new conversation, because the credentials never arrived. */
export const reportMissingCredentials = async (
  { key }: VisitorMessage,
  { clock, createId, readChanges, store }: TurnHost,
): Promise<void> => {
  // Another tab may have started a conversation meanwhile, which this tab joins.
  await readChanges();
  const { messages, conversationId } = store.state;
  if (conversationId !== null || !messages.some((message) => message.key === key)) return;
  store.dispatch({ type: 'notice-added', code: 'unlinked', key: createId(), at: clock.now() });
};
