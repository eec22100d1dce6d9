/**
 * The dashboard's side of the service, which the contract does not define. A secret key with every scope acts as the owner of
 * the workspace; a member who has signed in has the rights of the role.
 */
import type { Dependencies } from '../http/dependencies.ts';
import { OpenAPIHono } from '@hono/zod-openapi';
import { createMiddleware } from 'hono/factory';
import { maxBodyBytes, maxTextSourceBodyBytes } from '../../contract/limits.ts';
import { readBody } from '../http/read-body.ts';
import { rejectNul } from '../http/request-url.ts';
import { authorizeCaller } from './authorize.ts';
import { agentRoutes } from './agents.ts';
import { auditCalls } from './audit-calls.ts';
import { auditLogRoutes } from './audit-log.ts';
import type { TeamApp, TeamEnvironment } from './environment.ts';
import { clockRoutes } from './clock.ts';
import { teamContactRoutes } from './contacts.ts';
import { deadLetterRoutes } from './dead-letters.ts';
import { faultRoutes } from './faults.ts';
import { fieldRoutes } from './fields.ts';
import { simulatedConversationRoutes } from './simulated-conversations.ts';
import { simulatedEventRoutes } from './simulated-events.ts';
import { inboxRoutes } from './inbox.ts';
import { memberRoutes } from './members.ts';
import { noticeRoutes } from './notices.ts';
import { overviewRoutes } from './overview.ts';
import { signInRoutes } from './sign-in.ts';
import { teamSourceRoutes } from './sources.ts';
import { unansweredRoutes } from './unanswered.ts';
import { workspaceRoutes } from './workspace.ts';
import { workspaceSettingRoutes } from './workspace-settings.ts';

export const createTeamApp = (dependencies: Dependencies): TeamApp => {
  const app: TeamApp = new OpenAPIHono<TeamEnvironment>();
  signInRoutes(app, dependencies);
  app.use(
    createMiddleware<TeamEnvironment>(async (context, next) => {
      context.set('caller', await authorizeCaller(dependencies, context));
      const limit = context.req.path.endsWith('/sources') ? maxTextSourceBodyBytes : maxBodyBytes;
      rejectNul(context);
      if (['POST', 'PATCH'].includes(context.req.method)) await readBody(context, limit, { whenEmpty: '{}' });
      await next();
    }),
  );
  // Not audited: they change the test environment, and not the workspace.
  if (dependencies.development) {
    clockRoutes(app, dependencies.development.clock);
    faultRoutes(app, dependencies.development.faults);
  }
  app.use(auditCalls(dependencies));
  inboxRoutes(app, dependencies);
  workspaceRoutes(app, dependencies);
  workspaceSettingRoutes(app, dependencies);
  agentRoutes(app, dependencies);
  memberRoutes(app, dependencies);
  auditLogRoutes(app, dependencies);
  overviewRoutes(app, dependencies);
  deadLetterRoutes(app, dependencies);
  noticeRoutes(app, dependencies);
  fieldRoutes(app, dependencies);
  simulatedConversationRoutes(app, dependencies);
  simulatedEventRoutes(app, dependencies);
  teamContactRoutes(app, dependencies);
  teamSourceRoutes(app, dependencies);
  unansweredRoutes(app, dependencies);
  return app;
};
