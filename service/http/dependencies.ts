/** Everything that the HTTP side is given when the service starts. The domain functions each ask for a part of it. */
import type { TurnContext } from '../chat/turn.ts';
import type { Log } from '../core/log.ts';
import type { RateLimits } from './rate-limits.ts';

export interface Dependencies extends TurnContext {
  log: Log;
  rateLimits: RateLimits;
  /** Milliseconds between the keep-alive comments of a stream. */
  keepAliveMs: number;
  /** Aborted when the service closes. */
  closing: AbortSignal;
  /** Turns that may still write to the database. The service waits for them before it closes the database. */
  pendingTurns: Set<Promise<unknown>>;
}
