/** The dependencies of the HTTP layer, created when the service starts. Each domain function takes a part of them. */
import type { MiddlewareHandler } from 'hono';
import type { TurnContext } from '../chat/turn.ts';
import type { RetentionDays } from '../contacts/retention.ts';
import type { Log } from '../core/log.ts';
import type { MovableClock } from '../db/clock.ts';
import type { LeaseContext } from '../db/lease.ts';
import type { Embedder } from '../knowledge/embedder.ts';
import type { Parser } from '../knowledge/parser.ts';
import type { Mailer } from '../mail/email.ts';
import type { SignIn } from '../sign-in/sign-in.ts';
import type { AddressRange } from './caller-address.ts';
import type { Environment } from './environment.ts';
import type { Faults } from './faults.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { RateLimits } from './rate-limits.ts';

export interface Dependencies extends TurnContext, LeaseContext, Omit<Lifecycle, 'drain'> {
  log: Log;
  /** Parses texts of strangers outside of the main thread. */
  parser: Parser;
  /** Undefined unless a model for embeddings is configured. */
  embedder: Embedder | undefined;
  rateLimits: RateLimits;
  /** Undefined unless a mail server is configured. */
  mailer: Mailer | undefined;
  /** Undefined unless an OpenID provider is configured for the team page. */
  signIn: SignIn | undefined;
  /** For workspaces that have no setting of their own. */
  retention: RetentionDays;
  /** Undefined unless the service runs in development mode. */
  development: { clock: MovableClock; faults: Faults; breakCalls: MiddlewareHandler<Environment> } | undefined;
  /** The proxies whose `X-Forwarded-For` header is used. */
  trustedProxies: AddressRange[];
  /** Milliseconds between the keep-alive comments of a stream. */
  keepAliveMs: number;
}
