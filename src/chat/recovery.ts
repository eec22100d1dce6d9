/** What a turn does after a failed attempt: the rules under which nothing is sent twice and nothing is lost. */
import type { ApiError } from '../api/errors.ts';
import type { Delivery, WaitReason } from './state.ts';

export type Recovery =
  /** Ask again after `delay` milliseconds. */
  | { kind: 'wait'; reason: WaitReason; delay: number }
  /** The conversation is over: begin a new one with the same message. */
  | { kind: 'restart' }
  /** The proof of identity was refused: ask the page for a fresh one. */
  | { kind: 'renew-proof' }
  | { kind: 'fail'; delivery: Delivery };

/** How an attempt was made, and what came before it in this turn. */
export interface Attempt {
  isPlain: boolean;
  hasConversation: boolean;
  /** The page's `contact` is a function that can answer anew. */
  canRenewProof: boolean;
  waits: number;
  retries: number;
  hasRestarted: boolean;
  hasRenewed: boolean;
}

const maxWaits = 5;
const maxRetries = 4;
/** Seconds. A longer `Retry-After` is cut to it: asking too early costs one refusal, a mistaken year costs the visitor. */
const maxRetryAfter = 300;
const defaultRetryAfter = 5;

const endings = new Set(['conversation_expired', 'conversation_not_found', 'not_found']);

/** Milliseconds before retry number `count`: doubling, with full jitter above a floor that spares the service. */
export const backoff = (count: number, random: () => number, base = 1000, cap = 30_000): number =>
  Math.round(base / 2 + random() * Math.min(cap, base * 2 ** count));

export const recover = (error: ApiError, attempt: Attempt, random: () => number): Recovery => {
  const { code, stage, status } = error;
  if (stage === 'accepted') return { kind: 'fail', delivery: 'confirmed' };

  if (stage === 'unconfirmed') {
    // Only the plain call carries an Idempotency-Key, under which a repetition is harmless.
    if (!attempt.isPlain || attempt.retries >= maxRetries) return { kind: 'fail', delivery: 'unconfirmed' };
    return { kind: 'wait', reason: 'retrying', delay: backoff(attempt.retries, random) };
  }

  if (code === 'idempotency_in_progress' && attempt.retries < maxRetries)
    return { kind: 'wait', reason: 'retrying', delay: backoff(attempt.retries, random) };
  if ((status === 429 || status === 503) && attempt.waits < maxWaits) {
    const seconds = error.retryAfter ?? defaultRetryAfter * 2 ** attempt.waits;
    const reason = status === 429 ? 'rate_limited' : 'unavailable';
    // A little later than asked, so that all who wait do not come back in the same moment.
    return { kind: 'wait', reason, delay: Math.min(seconds, maxRetryAfter) * 1000 + Math.round(random() * 1000) };
  }
  if (code === 'identity_rejected' && attempt.canRenewProof && !attempt.hasRenewed) return { kind: 'renew-proof' };
  const isOver = endings.has(code) || code === 'identity_mismatch';
  if (isOver && attempt.hasConversation && !attempt.hasRestarted) return { kind: 'restart' };
  return { kind: 'fail', delivery: 'unsent' };
};
