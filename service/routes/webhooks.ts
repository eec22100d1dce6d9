/** The operations on webhook endpoints. Each endpoint has a secret that is shown once. */
import { z } from '@hono/zod-openapi';
import { and, eq, inArray, isNull } from 'drizzle-orm';
import { maxWebhookEndpoints } from '../../contract/limits.ts';
import { findAgent } from '../db/find-agent.ts';
import { requireRow } from '../db/require-row.ts';
import { requireAllAgents } from '../core/key-access.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { runOnce } from '../http/idempotency.ts';
import type { SaveResponse } from '../db/repeatable-call.ts';
import { lockWorkspace } from '../db/row-locks.ts';
import { webhookEndpoints } from '../db/schema.ts';
import { eventScopes, subscribableEvents } from '../core/event-types.ts';
import type { ApiKey, App } from '../http/environment.ts';
import { ApiError } from '../core/errors.ts';
import { newWebhookSecret } from '../events/sign.ts';
import { newId } from '../core/ids.ts';
import { conflict, created, json, jsonBody, noContent, operation } from '../http/operation.ts';
import { byCreation, newestFirst, page, pageOf, pageQuery } from '../http/pages.ts';
import { basePath } from '../core/version.ts';
import { requirePublicUrl } from '../egress/check-url.ts';
import { serializeWebhook, webhookOut } from '../resources/webhook.ts';
import { boundedText } from '../core/bounded-text.ts';

const subscription = z
  .object({
    url: boundedText(2000),
    events: z.array(z.enum(subscribableEvents)).min(1).max(subscribableEvents.length),
    agent_id: boundedText(100).optional(),
    description: boundedText(200).optional(),
  })
  .openapi('WebhookSubscription');

export const webhookRoutes = (app: App, dependencies: Dependencies): void => {
  listWebhooksRoute(app, dependencies);
  createWebhookRoute(app, dependencies);
  deleteWebhookRoute(app, dependencies);
};

const listWebhooksRoute = (app: App, dependencies: Dependencies): void => {
  const { db } = dependencies;
  const route = operation(dependencies, {
    method: 'get',
    path: '/webhooks',
    scope: ['webhooks:read', 'webhooks:write'],
    operationId: 'listWebhooks',
    summary: 'The webhook endpoints, newest first.',
    request: { query: pageQuery },
    responses: { 200: json(pageOf(webhookOut), 'A page of endpoints, without their secrets.') },
  });
  app.openapi(route, async (context) => {
    const { limit, cursor } = context.req.valid('query');
    const { after, order } = newestFirst(webhookEndpoints.createdAt, webhookEndpoints.id, cursor);
    const found = await db
      .select()
      .from(webhookEndpoints)
      .where(and(isVisible(context.var.key), after))
      .orderBy(...order)
      .limit(limit + 1);
    return context.json(page(found, limit, serializeWebhook, byCreation), 200);
  });
};

const createWebhookRoute = (app: App, dependencies: Dependencies): void => {
  const { db } = dependencies;
  const route = operation(dependencies, {
    method: 'post',
    path: '/webhooks',
    scope: 'webhooks:write',
    isRepeatable: true,
    operationId: 'createWebhook',
    summary: 'Subscribe an endpoint. Only this response contains its secret.',
    request: { ...jsonBody(subscription) },
    responses: { 201: created(webhookOut, 'The endpoint.'), 409: conflict },
  });
  app.openapi(route, async (context) => {
    const key = context.var.key;
    const sent = context.req.valid('json');
    if (sent.agent_id === undefined) requireAllAgents(key);
    else await findAgent(db, key, sent.agent_id);
    for (const event of sent.events) {
      const scope = eventScopes[event];
      if (!key.scopes.includes(scope)) throw new ApiError('insufficient_scope', { required_scope: scope });
    }
    const response = await runOnce<z.infer<typeof webhookOut>>(
      dependencies,
      context,
      async ({ saveResponse }) => {
        await requirePublicUrl(sent.url, dependencies.allowLoopback);
        return createEndpoint(dependencies, key, sent, saveResponse);
      },
      { redact: (endpoint) => ({ ...endpoint, secret: null }) },
    );
    context.header('Location', `${basePath}/webhooks/${response.id}`);
    return context.json(response, 201);
  });
};

const deleteWebhookRoute = (app: App, dependencies: Dependencies): void => {
  const { db } = dependencies;
  const route = operation(dependencies, {
    method: 'delete',
    path: '/webhooks/{webhook_id}',
    scope: 'webhooks:write',
    operationId: 'deleteWebhook',
    summary: 'Remove an endpoint and its delivery log.',
    request: { params: z.object({ webhook_id: z.string() }) },
    responses: { 204: noContent },
  });
  app.openapi(route, async (context) => {
    const { webhook_id } = context.req.valid('param');
    const isEndpoint = and(isVisible(context.var.key), eq(webhookEndpoints.id, webhook_id));
    await requireRow(db.delete(webhookEndpoints).where(isEndpoint).returning({ id: webhookEndpoints.id }));
    return context.body(null, 204);
  });
};

/** The API hides the endpoints of bot plugins. A key that is limited to some agents sees the endpoints of those agents. */
const isVisible = (key: ApiKey) =>
  and(
    eq(webhookEndpoints.workspaceId, key.workspaceId),
    isNull(webhookEndpoints.plugin),
    key.agentIds === null ? undefined : inArray(webhookEndpoints.agentId, key.agentIds),
  );

const createEndpoint = async (
  dependencies: Dependencies,
  key: ApiKey,
  { url, events, agent_id, description }: z.infer<typeof subscription>,
  saveResponse: SaveResponse<z.infer<typeof webhookOut>>,
): Promise<z.infer<typeof webhookOut>> => {
  const { db } = dependencies;
  const secret = newWebhookSecret();
  return db.transaction(async (tx) => {
    // Locks the workspace in this transaction, so that two calls at once cannot both create the last endpoint.
    await lockWorkspace(tx, key.workspaceId);
    const isOfWorkspace = and(eq(webhookEndpoints.workspaceId, key.workspaceId), isNull(webhookEndpoints.plugin));
    if ((await tx.$count(webhookEndpoints, isOfWorkspace)) >= maxWebhookEndpoints)
      throw new ApiError('too_many_endpoints');
    const [endpoint] = await tx
      .insert(webhookEndpoints)
      .values({
        id: newId('whk'),
        workspaceId: key.workspaceId,
        agentId: agent_id ?? null,
        url,
        events: [...new Set(events)],
        description: description ?? null,
        encryptedSecret: dependencies.encryption.encrypt(secret),
        makerId: key.makerId,
        createdAt: new Date(dependencies.now()),
      })
      .returning();
    return saveResponse(tx, { ...serializeWebhook(endpoint!), secret });
  });
};
