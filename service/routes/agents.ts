/** Agents: read, renamed, and told which websites to answer on. */
import { z } from '@hono/zod-openapi';
import { and, eq, inArray } from 'drizzle-orm';
import { maxAgentNameLength } from '../../contract/limits.ts';
import { findAgent, type Agent } from '../chat/conversations.ts';
import { agents } from '../db/schema.ts';
import type { App } from '../app.ts';
import type { Dependencies } from '../http/environment.ts';
import { atLeastOne } from '../core/merge.ts';
import { json, jsonBody, operation } from '../http/operation.ts';
import { newestFirst, page, pageOf, pageQuery } from '../http/pages.ts';
import { plans, type Plan } from '../core/plans.ts';
import { auditOriginChange, normaliseOrigins } from './origins.ts';

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

const agentChange = z
  .object({
    name: z.string().trim().min(1).max(maxAgentNameLength).optional(),
    allowed_origins: z.array(z.string().max(300)).max(100).optional(),
  })
  .superRefine(atLeastOne)
  .openapi('AgentChange');

const shown = (plan: Plan) => {
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
};

export const agentRoutes = (app: App, dependencies: Dependencies): void => {
  const listAgents = operation(
    dependencies,
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
    const found = await dependencies.db
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
    dependencies,
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
    const agent = await findAgent(dependencies.db, context.var.key, context.req.valid('param').agent_id);
    return context.json(shown(context.var.key.plan)(agent), 200);
  });

  const changeAgent = operation(
    dependencies,
    'patch',
    '/agents/{agent_id}',
    { needs: 'agents:write' },
    {
      operationId: 'changeAgent',
      summary: 'Rename an agent, or change the websites its widget answers on.',
      request: { params: z.object({ agent_id: z.string() }), ...jsonBody(agentChange) },
      responses: { 200: json(agentOut, 'The agent as it is now.') },
    },
  );
  app.openapi(changeAgent, async (context) => {
    const key = context.var.key;
    const { id } = await findAgent(dependencies.db, key, context.req.valid('param').agent_id);
    const { name, allowed_origins } = context.req.valid('json');
    const origins = allowed_origins && normaliseOrigins(allowed_origins);
    const changed = await dependencies.db.transaction(async (tx) => {
      const [agent] = await tx.select().from(agents).where(eq(agents.id, id)).for('update');
      if (origins) await auditOriginChange(tx, key, agent!, origins, dependencies.now());
      const [after] = await tx
        .update(agents)
        .set({
          ...(name === undefined ? {} : { name }),
          ...(origins ? { allowedOrigins: origins } : {}),
          updatedAt: new Date(dependencies.now()),
        })
        .where(eq(agents.id, id))
        .returning();
      return after!;
    });
    return context.json(shown(key.plan)(changed), 200);
  });
};
