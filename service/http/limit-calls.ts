/** The calls a key may make in a minute: 60 of all kinds, of which 20 are chat calls (the contract's "Limits"). */
import type { Context } from 'hono';
import { callsPerMinute, chatCallsPerMinute } from '../../contract/limits.ts';
import type { ApiKey, Environment, Dependencies } from './environment.ts';
import { ApiError } from '../core/errors.ts';

export type Bucket = 'call' | 'chat';

const limits: Record<Bucket, number> = { call: callsPerMinute, chat: chatCallsPerMinute };

/** A publishable key sits in every visitor's browser: each address has its own allowance. */
const caller = (key: ApiKey, context: Context<Environment>): string => {
  if (key.kind === 'secret') return key.id;
  return `${key.id} ${context.env?.incoming?.socket?.remoteAddress ?? 'local'}`;
};

export const limitCalls = async (
  dependencies: Dependencies,
  context: Context<Environment>,
  key: ApiKey,
  bucket: Bucket,
): Promise<void> => {
  const who = caller(key, context);
  const all = await dependencies.rateLimits.take(`call ${who}`, limits.call);
  // A call refused by the first bucket is not counted in the second.
  const chat =
    bucket === 'chat' && all.allowed ? await dependencies.rateLimits.take(`chat ${who}`, limits.chat) : undefined;
  const shown = chat && (!chat.allowed || chat.remaining <= all.remaining) ? chat : all;
  context.header('X-RateLimit-Limit', String((chat ?? all).limit));
  context.header('X-RateLimit-Remaining', String(shown.remaining));
  if (!shown.allowed) throw new ApiError('rate_limited', { retryAfter: shown.retryAfter });
};
