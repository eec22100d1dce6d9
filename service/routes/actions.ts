/** The operations on an agent's actions, and the list of an action's calls. */
import { z } from '@hono/zod-openapi';
import { and, desc, eq, sql } from 'drizzle-orm';
import { findAction } from '../actions/find-action.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { runOnce } from '../http/idempotency.ts';
import { lockAgent } from '../db/row-locks.ts';
import { actionCalls, actions, verifiedHosts } from '../db/schema.ts';
import type { App } from '../http/environment.ts';
import { agentOfCall } from '../http/authenticate.ts';
import { conflict, created, json, jsonBody, noContent, operation, planLimit } from '../http/operation.ts';
import { newestFirst, page, pageOf, pageQuery } from '../http/pages.ts';
import { basePath } from '../core/version.ts';
import { actionBody, createAction, requireValidTemplate, serializeStored, updateAction } from './save-action.ts';
import { actionOut, callOut, hostOf, serializeAction, serializeCall, type ActionOut } from '../resources/action.ts';

const agentPath = z.object({ agent_id: z.string() });
const actionPath = agentPath.extend({ action_id: z.string() });

export const actionRoutes = (app: App, dependencies: Dependencies): void => {
  listActionsRoute(app, dependencies);
  createActionRoute(app, dependencies);
  changeActionRoute(app, dependencies);
  deleteActionRoute(app, dependencies);
  listCallsRoute(app, dependencies);
};

const listActionsRoute = (app: App, dependencies: Dependencies): void => {
  const { db } = dependencies;
  const route = operation(dependencies, {
    method: 'get',
    path: '/agents/{agent_id}/actions',
    scope: 'agents:read',
    operationId: 'listActions',
    summary: 'All actions of an agent, newest first.',
    request: { params: agentPath },
    responses: { 200: json(pageOf(actionOut), 'The actions.') },
  });
  app.openapi(route, async (context) => {
    const agent = agentOfCall(context);
    const [found, hosts] = await Promise.all([
      db.select().from(actions).where(eq(actions.agentId, agent.id)).orderBy(desc(actions.createdAt), desc(actions.id)),
      db.select().from(verifiedHosts).where(eq(verifiedHosts.agentId, agent.id)),
    ]);
    const verified = new Set(hosts.map(({ host }) => host));
    const data = found.map((action) => serializeAction(action, verified.has(hostOf(action.urlTemplate))));
    return context.json({ data, next_cursor: null }, 200);
  });
};

const createActionRoute = (app: App, dependencies: Dependencies): void => {
  const route = operation(dependencies, {
    method: 'post',
    path: '/agents/{agent_id}/actions',
    scope: 'agents:write',
    isRepeatable: true,
    operationId: 'createAction',
    summary: 'Create an action. It is disabled unless `enabled` is true.',
    request: { params: agentPath, ...jsonBody(actionBody) },
    responses: { 201: created(actionOut, 'The action.'), 402: planLimit, 409: conflict },
  });
  app.openapi(route, async (context) => {
    const agent = agentOfCall(context);
    const sent = context.req.valid('json');
    const response = await runOnce<ActionOut>(dependencies, context, async ({ saveResponse }) => {
      await requireValidTemplate(dependencies, sent);
      return createAction(dependencies, agent, context.var.key.plan, sent, saveResponse);
    });
    context.header('Location', `${basePath}/agents/${agent.id}/actions/${response.id}`);
    return context.json(response, 201);
  });
};

const changeActionRoute = (app: App, dependencies: Dependencies): void => {
  const { db } = dependencies;
  const route = operation(dependencies, {
    method: 'patch',
    path: '/agents/{agent_id}/actions/{action_id}',
    scope: 'agents:write',
    operationId: 'changeAction',
    summary: 'Change the fields that are sent. Headers are replaced as a whole, and an empty object removes them.',
    request: { params: actionPath, ...jsonBody(actionBody) },
    responses: { 200: json(actionOut, 'The changed action.'), 402: planLimit, 409: conflict },
  });
  app.openapi(route, async (context) => {
    const action = await findAction(db, agentOfCall(context), context.req.valid('param').action_id);
    const sent = context.req.valid('json');
    await requireValidTemplate(dependencies, sent);
    const changed = await updateAction(dependencies, context.var.key.plan, action, sent);
    return context.json(await serializeStored(db, changed), 200);
  });
};

const deleteActionRoute = (app: App, dependencies: Dependencies): void => {
  const { db } = dependencies;
  const route = operation(dependencies, {
    method: 'delete',
    path: '/agents/{agent_id}/actions/{action_id}',
    scope: 'agents:write',
    operationId: 'deleteAction',
    summary: 'Delete an action and the submissions of its forms.',
    request: { params: actionPath },
    responses: { 204: noContent },
  });
  app.openapi(route, async (context) => {
    const { id, agentId } = await findAction(db, agentOfCall(context), context.req.valid('param').action_id);
    await db.transaction(async (tx) => {
      await lockAgent(tx, agentId);
      await tx.delete(actions).where(eq(actions.id, id));
    });
    return context.body(null, 204);
  });
};

const listCallsRoute = (app: App, dependencies: Dependencies): void => {
  const { db } = dependencies;
  const route = operation(dependencies, {
    method: 'get',
    path: '/agents/{agent_id}/actions/{action_id}/calls',
    scope: 'conversations:read',
    operationId: 'listCalls',
    summary: 'The calls of an action, newest first.',
    request: {
      params: actionPath,
      query: pageQuery.extend({ failures_only: z.enum(['true', 'false']).optional() }),
    },
    responses: { 200: json(pageOf(callOut), 'A page of calls.') },
  });
  app.openapi(route, async (context) => {
    const { id } = await findAction(db, agentOfCall(context), context.req.valid('param').action_id);
    const { limit, cursor, failures_only } = context.req.valid('query');
    const { after, order } = newestFirst(actionCalls.at, actionCalls.id, cursor);
    const found = await db
      .select()
      .from(actionCalls)
      .where(
        and(
          eq(actionCalls.actionId, id),
          eq(actionCalls.preview, false),
          failures_only === 'true' ? hasFailed : undefined,
          after,
        ),
      )
      .orderBy(...order)
      .limit(limit + 1);
    return context.json(
      page(found, limit, serializeCall, ({ at, id }) => [at, id]),
      200,
    );
  });
};

/** Without parameters, so that it is the condition of the index `action_calls_failures`. */
const hasFailed = sql`${actionCalls.outcome} in ('failed', 'refused', 'expired')`;
