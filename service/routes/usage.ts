/** `GET /usage`: this month's conversations against the allowance. */
import { usageOf } from '../chat/quota.ts';
import type { App } from '../app.ts';
import type { Dependencies } from '../http/environment.ts';
import { json, operation } from '../http/operation.ts';
import { usageOut } from '../resources/usage.ts';

export const usageRoutes = (app: App, dependencies: Dependencies): void => {
  const get = operation(
    dependencies,
    'get',
    '/usage',
    { needs: 'usage:read' },
    {
      operationId: 'getUsage',
      summary: 'This month’s conversations, in UTC, against the allowance.',
      responses: { 200: json(usageOut, 'The usage.') },
    },
  );
  app.openapi(get, async (context) => {
    const { workspaceId, agentIds } = context.var.key;
    return context.json(await usageOf(dependencies.db, workspaceId, dependencies.now(), agentIds), 200);
  });
};
