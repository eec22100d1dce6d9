/** The types of the dashboard's Hono application. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { KeyAccess } from '../core/key-access.ts';
import type { Plan } from '../core/plans.ts';
import type { Environment } from '../http/environment.ts';

/** Who calls: the holder of a secret key with every scope, or a member who has signed in. */
export interface Caller extends KeyAccess {
  plan: Plan;
  memberId: string;
  /** Null for a member who has signed in. */
  keyId: string | null;
}

export interface TeamEnvironment extends Environment {
  Variables: Environment['Variables'] & { caller: Caller };
}

export type TeamApp = OpenAPIHono<TeamEnvironment>;
