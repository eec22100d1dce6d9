/** What every route can reach: the service's dependencies, and what is known about the request at hand. */
import type { HttpBindings } from '@hono/node-server';
import type { InferSelectModel } from 'drizzle-orm';
import type { ReplySource } from '../replies/reply-source.ts';
import type { ToolCalls } from '../chat/tool-calls.ts';
import type { Turns } from '../chat/turns.ts';
import type { Db } from '../db/open.ts';
import type { Language } from '../core/language.ts';
import type { Role } from '../core/roles.ts';
import type { apiKeys } from '../db/schema.ts';
import type { Plan } from '../core/plans.ts';
import type { Encryption } from '../core/encryption.ts';
import type { RateLimits } from './rate-limits.ts';

/** One line of the log. Never holds a key, a token or what a visitor wrote. */
export interface LogEntry {
  level: 'info' | 'warn' | 'error';
  event: string;
  request_id?: string;
  [detail: string]: unknown;
}

export interface Dependencies {
  db: Db;
  now: () => number;
  log: (entry: LogEntry) => void;
  replySource: ReplySource;
  toolCalls: ToolCalls;
  turns: Turns;
  rateLimits: RateLimits;
  encryption: Encryption;
  /** For development: this machine's own servers may be spoken to. */
  allowLoopback: boolean;
  /** Milliseconds between pieces of a streamed answer. */
  chunkDelay: number;
  /** Milliseconds between keep-alive comments. */
  keepAliveMs: number;
  /** Aborted when the service closes. */
  closing: AbortSignal;
  /** Turns that still write: closing waits for them, so that none meets a closed database. */
  running: Set<Promise<unknown>>;
}

/** A key, with what its workspace's plan and its maker's role make of it. */
export type ApiKey = InferSelectModel<typeof apiKeys> & { plan: Plan; role: Role };

export interface Environment {
  Bindings: Partial<HttpBindings>;
  Variables: {
    requestId: string;
    /** The language of error sentences. */
    language: Language;
    key: ApiKey;
    /** The body as it was sent, for comparing it with an earlier one. */
    bodyText: string;
  };
}
