/** What a turn does after a failed attempt: the rules under which nothing is sent twice and nothing is lost. */
import { backoff } from '../api/backoff.ts';
import type { ApiError } from '../api/errors.ts';
import type { WaitReason } from './state/state.ts';

export type Recovery =
  /** Ask again after `delay` milliseconds. */
  | { kind: 'wait'; reason: WaitReason; delay: number }
  /** The conversation is over: begin a new one with the same message. */
  | { kind: 'restart' }
  /** The proof of identity was refused: ask the page for a fresh one. */
  | { kind: 'renew-proof' }
  | { kind: 'fail' };

/** How an attempt was made, and what came before it in this turn. */
export interface Attempt {
  isPlain: boolean;
  hasConversation: boolean;
  /** The page's `contact` is a function that can answer anew. */
  canRenewProof: boolean;
  /** An earlier try under the same Idempotency-Key may have arrived. */
  isDoubtful: boolean;
  /** How often it has waited and asked again. */
  tries: number;
  hasRestarted: boolean;
  hasRenewed: boolean;
}

const maxWaits = 5;
const maxRetries = 4;
/** Seconds. A longer `Retry-After` is cut to it: asking too early costs one refusal, a mistaken year costs the visitor. */
const maxRetryAfter = 300;
const defaultRetryAfter = 5;

const endings = new Set(['conversation_expired', 'conversation_not_found', 'not_found']);

export const recover = (error: ApiError, attempt: Attempt, random: () => number): Recovery => {
  const { code, stage, status } = error;
  const { tries, isDoubtful } = attempt;
  // Only the plain call carries an Idempotency-Key, under which a repetition is harmless.
  const isRepeatable = stage === 'unconfirmed' && attempt.isPlain;
  if ((isRepeatable || code === 'idempotency_in_progress') && tries < maxRetries) {
    return { kind: 'wait', reason: 'retrying', delay: backoff(tries, random) };
  }
  if (stage !== 'refused') return { kind: 'fail' };

  if ((status === 429 || status === 503) && tries < maxWaits) {
    const seconds = error.retryAfter ?? defaultRetryAfter * 2 ** tries;
    const reason = isDoubtful ? 'retrying' : status === 429 ? 'rate_limited' : 'unavailable';
    // A little later than asked, so that all who wait do not come back in the same moment.
    return { kind: 'wait', reason, delay: Math.min(seconds, maxRetryAfter) * 1000 + Math.round(random() * 1000) };
  }
  // Whatever else would make it another call, which the service may take a second time.
  if (isDoubtful) return { kind: 'fail' };
  if (code === 'identity_rejected' && attempt.canRenewProof && !attempt.hasRenewed) return { kind: 'renew-proof' };
  const isOver = endings.has(code) || code === 'identity_mismatch';
  if (isOver && attempt.hasConversation && !attempt.hasRestarted) return { kind: 'restart' };
  return { kind: 'fail' };
};
