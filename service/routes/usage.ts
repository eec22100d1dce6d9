/** `GET /usage`: this month's conversations against the allowance. */
import { usageOf } from '../chat/quota.ts';
import type { App } from '../app.ts';
import type { Parts } from '../http/environment.ts';
import { json, operation } from '../http/operation.ts';
import { usageOut } from '../resources/usage.ts';

export const usageRoutes = (app: App, parts: Parts): void => {
  const get = operation(
    parts,
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
    return context.json(await usageOf(parts.db, workspaceId, parts.now(), agentIds), 200);
  });
};
