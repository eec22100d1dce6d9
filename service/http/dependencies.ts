/** The dependencies of the HTTP layer, created when the service starts. Each domain function takes a part of them. */
import type { TurnContext } from '../chat/turn.ts';
import type { Log } from '../core/log.ts';
import type { LeaseContext } from '../db/lease.ts';
import type { Parser } from '../knowledge/parser.ts';
import type { AddressRange } from './caller-address.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { RateLimits } from './rate-limits.ts';

export interface Dependencies extends TurnContext, LeaseContext, Omit<Lifecycle, 'drain'> {
  log: Log;
  /** Parses texts of strangers outside of the main thread. */
  parser: Parser;
  rateLimits: RateLimits;
  /** The proxies whose `X-Forwarded-For` header is used. */
  trustedProxies: AddressRange[];
  /** Milliseconds between the keep-alive comments of a stream. */
  keepAliveMs: number;
}
