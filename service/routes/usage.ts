/** `GET /usage`: the conversations of this month and the quota. */
import { usageOf } from '../chat/quota.ts';
import type { App } from '../http/environment.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { json, operation } from '../http/operation.ts';
import { usageOut } from '../resources/usage.ts';

export const usageRoutes = (app: App, dependencies: Dependencies): void => {
  const get = operation(dependencies, {
    method: 'get',
    path: '/usage',
    scope: 'usage:read',
    operationId: 'getUsage',
    summary: 'The conversations of this month (in UTC) and the quota.',
    responses: { 200: json(usageOut, 'The usage.') },
  });
  app.openapi(get, async (context) => {
    const { workspaceId, agentIds } = context.var.key;
    return context.json(await usageOf(dependencies.db, workspaceId, dependencies.now(), agentIds), 200);
  });
};
