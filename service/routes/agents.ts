/** The operations on agents: read, rename, and change the websites of the widget. */
import { z } from '@hono/zod-openapi';
import { and, eq, inArray } from 'drizzle-orm';
import { maxAgentNameLength } from '../../contract/limits.ts';
import type { Agent } from '../db/records.ts';
import { agentOfCall } from '../http/authenticate.ts';
import type { ApiKey, App } from '../http/environment.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { agents } from '../db/schema.ts';
import { atLeastOne } from '../core/merge.ts';
import { json, jsonBody, operation } from '../http/operation.ts';
import { byCreation, newestFirst, page, pageOf, pageQuery } from '../http/pages.ts';
import { plans, type Plan } from '../core/plans.ts';
import { auditOriginChange, normalizeOrigins } from '../db/allowed-origins.ts';
import { boundedLine, boundedText } from '../core/bounded-text.ts';

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
    name: boundedLine(maxAgentNameLength).optional(),
    allowed_origins: z.array(boundedText(300)).max(100).optional(),
  })
  .superRefine(atLeastOne)
  .openapi('AgentChange');

const serializeAgent = (plan: Plan) => {
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
  listAgentsRoute(app, dependencies);
  getAgentRoute(app, dependencies);
  changeAgentRoute(app, dependencies);
};

const authorOf = ({ id, workspaceId }: ApiKey) => ({ workspaceId, memberId: null, keyId: id });

const listAgentsRoute = (app: App, dependencies: Dependencies): void => {
  const route = operation(dependencies, {
    method: 'get',
    path: '/agents',
    scope: 'agents:read',
    operationId: 'listAgents',
    summary: 'The agents that the key can reach, newest first.',
    request: { query: pageQuery },
    responses: { 200: json(pageOf(agentOut), 'A page of agents.') },
  });
  app.openapi(route, async (context) => {
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
    return context.json(page(found, limit, serializeAgent(key.plan), byCreation), 200);
  });
};

const getAgentRoute = (app: App, dependencies: Dependencies): void => {
  const route = operation(dependencies, {
    method: 'get',
    path: '/agents/{agent_id}',
    scope: 'agents:read',
    operationId: 'getAgent',
    summary: 'One agent.',
    request: { params: z.object({ agent_id: z.string() }) },
    responses: { 200: json(agentOut, 'The agent.') },
  });
  app.openapi(route, async (context) => {
    return context.json(serializeAgent(context.var.key.plan)(agentOfCall(context)), 200);
  });
};

const changeAgentRoute = (app: App, dependencies: Dependencies): void => {
  const route = operation(dependencies, {
    method: 'patch',
    path: '/agents/{agent_id}',
    scope: 'agents:write',
    operationId: 'changeAgent',
    summary: 'Rename an agent, or change the websites that its widget works on.',
    request: { params: z.object({ agent_id: z.string() }), ...jsonBody(agentChange) },
    responses: { 200: json(agentOut, 'The changed agent.') },
  });
  app.openapi(route, async (context) => {
    const key = context.var.key;
    const { id } = agentOfCall(context);
    const { name, allowed_origins } = context.req.valid('json');
    const origins = allowed_origins && normalizeOrigins(allowed_origins);
    const changed = await dependencies.db.transaction(async (tx) => {
      const [agent] = await tx.select().from(agents).where(eq(agents.id, id)).for('no key update');
      if (origins) await auditOriginChange(tx, authorOf(key), agent!, origins, dependencies.now());
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
    return context.json(serializeAgent(key.plan)(changed), 200);
  });
};
