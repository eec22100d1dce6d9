/**
 * What a team does at its dashboard, which the contract leaves open: plain, for the demo and for tests. Whoever holds a
 * secret key that may do everything is taken for the workspace's owner.
 */
import { OpenAPIHono } from '@hono/zod-openapi';
import { and, eq } from 'drizzle-orm';
import { createMiddleware } from 'hono/factory';
import { members } from '../db/schema.ts';
import { authenticate, authorise } from '../http/authenticate.ts';
import type { Environment, Parts } from '../http/environment.ts';
import { ApiError } from '../http/errors.ts';
import { bodyLimit, readBody } from '../http/read-body.ts';
import { scopes } from '../http/scopes.ts';
import { inboxRoutes } from './inbox.ts';
import { workspaceRoutes } from './workspace.ts';

export interface TeamEnvironment extends Environment {
  Variables: Environment['Variables'] & { memberId: string };
}

export type TeamApp = OpenAPIHono<TeamEnvironment>;

export function createTeamApp(parts: Parts): TeamApp {
  const app: TeamApp = new OpenAPIHono<TeamEnvironment>();
  app.use(
    createMiddleware<TeamEnvironment>(async (context, next) => {
      const key = await authenticate(parts, context as never);
      authorise(key, 'any');
      const missing = scopes.find((scope) => !key.scopes.includes(scope));
      if (missing) throw new ApiError('insufficient_scope', { required_scope: missing });
      if (key.agentIds !== null || key.role !== 'owner') throw new ApiError('maker_role_limit');
      const [owner] = await parts.db
        .select({ id: members.id })
        .from(members)
        .where(and(eq(members.workspaceId, key.workspaceId), eq(members.role, 'owner')));
      context.set('memberId', key.makerId ?? owner!.id);
      if (context.req.method === 'POST' || context.req.method === 'PATCH') await readBody(context as never, bodyLimit);
      await next();
    }),
  );
  inboxRoutes(app, parts);
  workspaceRoutes(app, parts);
  return app;
}
