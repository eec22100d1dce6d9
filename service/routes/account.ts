/** `GET /me`: the properties of the calling key. */
import { z } from '@hono/zod-openapi';
import { eq } from 'drizzle-orm';
import { workspaces } from '../db/schema.ts';
import type { App } from '../http/environment.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { json, operation } from '../http/operation.ts';
import { withheldScopes } from '../core/roles.ts';
import { scopes } from '../core/scopes.ts';
import { apiVersion } from '../core/version.ts';

const me = z
  .object({
    api_version: z.string(),
    key: z.object({
      id: z.string(),
      label: z.string(),
      kind: z.enum(['secret', 'publishable']),
      scopes: z.array(z.enum(scopes)),
      agent_ids: z.array(z.string()).nullable(),
      expires_at: z.string().nullable(),
      maker: z.object({ role: z.string(), held_back: z.array(z.string()) }),
    }),
    workspace: z.object({ id: z.string(), name: z.string(), plan: z.string() }),
  })
  .openapi('Me');

export const accountRoutes = (app: App, dependencies: Dependencies): void => {
  const getMe = operation(dependencies, {
    method: 'get',
    path: '/me',
    scope: 'any',
    operationId: 'getMe',
    summary: 'The properties of the calling key.',
    responses: { 200: json(me, 'The key and its workspace.') },
  });
  app.openapi(getMe, async (context) => {
    const key = context.var.key;
    const [workspace] = await dependencies.db.select().from(workspaces).where(eq(workspaces.id, key.workspaceId));
    return context.json(
      {
        api_version: apiVersion,
        key: {
          id: key.id,
          label: key.label,
          kind: key.kind,
          scopes: key.scopes,
          agent_ids: key.agentIds,
          expires_at: key.expiresAt?.toISOString() ?? null,
          maker: { role: key.role, held_back: key.scopes.filter((scope) => withheldScopes[key.role].includes(scope)) },
        },
        workspace: { id: key.workspaceId, name: workspace!.name, plan: workspace!.plan },
      },
      200,
    );
  });
};
