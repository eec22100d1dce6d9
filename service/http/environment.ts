/** The types of the Hono application: its variables and its bindings. */
import type { HttpBindings } from '@hono/node-server';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { InferSelectModel } from 'drizzle-orm';
import type { Context } from 'hono';
import type { Language } from '../core/language.ts';
import type { Plan } from '../core/plans.ts';
import type { Role } from '../core/roles.ts';
import type { Agent } from '../db/records.ts';
import type { apiKeys } from '../db/schema.ts';

/** An API key with the plan of its workspace and the role of the member who made it. */
export type ApiKey = InferSelectModel<typeof apiKeys> & { plan: Plan; role: Role };

interface Variables {
  requestId: string;
  /** The language of error messages. */
  language: Language;
  key: ApiKey;
  /** The agent in the path of the call. Null when there is none that the key may reach. */
  agent: Agent | null;
  /** The address of the caller, behind the trusted proxies. */
  address: string;
  /** The body as it was sent, for the comparison with an earlier body of the same Idempotency-Key. */
  bodyText: string;
}

export interface Environment {
  Bindings: Partial<HttpBindings>;
  Variables: Variables;
}

export type App = OpenAPIHono<Environment>;

/** The context of a call, which the dashboard's application has too. */
export interface CallContext extends Pick<Context<Environment>, 'req' | 'env' | 'header' | 'var'> {
  set<Name extends keyof Variables>(name: Name, value: Variables[Name]): void;
}
