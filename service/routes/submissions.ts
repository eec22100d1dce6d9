/** `GET /agents/{agent_id}/submissions`: the forms that visitors submitted. */
import { z } from '@hono/zod-openapi';
import { and, eq } from 'drizzle-orm';
import { agentOfCall } from '../http/authenticate.ts';
import type { App } from '../http/environment.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { actions, submissions } from '../db/schema.ts';
import { json, operation } from '../http/operation.ts';
import { byCreation, newestFirst, page, pageOf, pageQuery } from '../http/pages.ts';
import { serializeSubmission, submissionOut } from '../resources/submission.ts';

export const submissionRoutes = (app: App, dependencies: Dependencies): void => {
  const list = operation(dependencies, {
    method: 'get',
    path: '/agents/{agent_id}/submissions',
    scope: 'leads:read',
    operationId: 'listSubmissions',
    summary: 'The submitted forms, newest first.',
    request: {
      params: z.object({ agent_id: z.string() }),
      query: pageQuery.extend({ action_id: z.string().optional() }),
    },
    responses: { 200: json(pageOf(submissionOut), 'A page of submissions.') },
  });
  app.openapi(list, async (context) => {
    const agent = agentOfCall(context);
    const { limit, cursor, action_id } = context.req.valid('query');
    const { after, order } = newestFirst(submissions.createdAt, submissions.id, cursor);
    const found = await dependencies.db
      .select({ submission: submissions, action: { id: actions.id, name: actions.name } })
      .from(submissions)
      .innerJoin(actions, eq(actions.id, submissions.actionId))
      .where(
        and(
          eq(submissions.agentId, agent.id),
          action_id === undefined ? undefined : eq(submissions.actionId, action_id),
          after,
        ),
      )
      .orderBy(...order)
      .limit(limit + 1);
    return context.json(
      page(found, limit, serializeSubmission, ({ submission }) => byCreation(submission)),
      200,
    );
  });
};
