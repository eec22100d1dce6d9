/** `GET /agents` and `GET /agents/{agent_id}`. */
import { z } from '@hono/zod-openapi';
import { and, eq, inArray } from 'drizzle-orm';
import { findAgent, type Agent } from '../chat/conversations.ts';
import { agents } from '../db/schema.ts';
import type { App } from '../http/app.ts';
import type { Parts } from '../http/environment.ts';
import { json, operation } from '../http/operation.ts';
import { newestFirst, page, pageOf, pageQuery } from '../http/pages.ts';
import { plans, type Plan } from '../plans.ts';

const agentOut = z
  .object({
    id: z.string(),
    name: z.string(),
    status: z.enum(['live', 'paused', 'retired']),
    language: z.enum(['english', 'arabic', 'bilingual']),
    public_key: z.string(),
    allowed_origins: z.array(z.string()),
    conversations_per_month: z.number().int(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .openapi('Agent');

function shown(plan: Plan) {
  return (agent: Agent): z.infer<typeof agentOut> => ({
    id: agent.id,
    name: agent.name,
    status: agent.status,
    language: agent.language,
    public_key: agent.publicKey,
    allowed_origins: agent.allowedOrigins,
    conversations_per_month: plans[plan].conversations,
    created_at: agent.createdAt.toISOString(),
    updated_at: agent.updatedAt.toISOString(),
  });
}

export function agentRoutes(app: App, parts: Parts): void {
  const listAgents = operation(
    parts,
    'get',
    '/agents',
    { needs: 'agents:read' },
    {
      operationId: 'listAgents',
      summary: 'The agents the key sees, newest first.',
      request: { query: pageQuery },
      responses: { 200: json(pageOf(agentOut), 'A page of agents.') },
    },
  );
  app.openapi(listAgents, async (context) => {
    const { limit, cursor } = context.req.valid('query');
    const key = context.var.key;
    const { after, order } = newestFirst(agents.createdAt, agents.id, cursor);
    const found = await parts.db
      .select()
      .from(agents)
      .where(
        and(
          eq(agents.workspaceId, key.workspaceId),
          key.agentIds === null ? undefined : inArray(agents.id, key.agentIds),
          after,
        ),
      )
      .orderBy(...order)
      .limit(limit + 1);
    const show = shown(key.plan);
    return context.json(
      page(found, limit, show, (agent) => [agent.createdAt.toISOString(), agent.id]),
      200,
    );
  });

  const getAgent = operation(
    parts,
    'get',
    '/agents/{agent_id}',
    { needs: 'agents:read' },
    {
      operationId: 'getAgent',
      summary: 'One agent.',
      request: { params: z.object({ agent_id: z.string() }) },
      responses: { 200: json(agentOut, 'The agent.') },
    },
  );
  app.openapi(getAgent, async (context) => {
    const agent = await findAgent(parts.db, context.var.key, context.req.valid('param').agent_id);
    return context.json(shown(context.var.key.plan)(agent), 200);
  });
}
