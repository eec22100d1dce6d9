/** The calls that a key may make in a minute: 60 in all, of which 20 are chat calls (the contract's "Limits"). */
import { callsPerMinute, chatCallsPerMinute } from '../../contract/limits.ts';
import { ApiError } from '../core/errors.ts';
import { networkOf } from './caller-address.ts';
import type { ApiKey, CallContext } from './environment.ts';
import type { RateLimits } from './rate-limits.ts';

export type Bucket = 'call' | 'chat' | 'team';

/** Calls of the team page in a minute, which the contract does not limit. */
const teamCallsPerMinute = 300;

const limits: Record<Bucket, number> = {
  call: callsPerMinute,
  chat: chatCallsPerMinute,
  team: teamCallsPerMinute,
};

/** A publishable key is used by many visitors, so each calling address, or network in IPv6, has its own allowance. */
const callerOf = (key: Pick<ApiKey, 'kind' | 'id'>, context: CallContext): string => {
  if (key.kind === 'secret') return key.id;
  return `${key.id} ${networkOf(context.var.address)}`;
};

export const limitCalls = async (
  { rateLimits }: { rateLimits: RateLimits },
  context: CallContext,
  key: Pick<ApiKey, 'kind' | 'id'>,
  bucket: Bucket,
): Promise<void> => {
  const caller = callerOf(key, context);
  const buckets: Bucket[] = bucket === 'chat' ? ['call', 'chat'] : [bucket];
  const [all, chat] = await rateLimits.take(
    buckets.map((each) => ({ bucket: `${each} ${caller}`, limit: limits[each] })),
  );
  if (!all) return;
  const stricter = chat && (!chat.allowed || chat.remaining <= all.remaining) ? chat : all;
  context.header('X-RateLimit-Limit', String((chat ?? all).limit));
  context.header('X-RateLimit-Remaining', String(stricter.remaining));
  if (!stricter.allowed) throw new ApiError('rate_limited', { retryAfter: stricter.retryAfter });
};
