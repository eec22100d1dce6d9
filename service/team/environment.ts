/** The types of the dashboard's Hono application. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Environment } from '../http/environment.ts';

export interface TeamEnvironment extends Environment {
  Variables: Environment['Variables'] & { memberId: string };
}

export type TeamApp = OpenAPIHono<TeamEnvironment>;
