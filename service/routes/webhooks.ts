/** Webhook subscriptions: up to 10 of a workspace, each with a secret shown once. */
import { randomBytes } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import { and, count, eq, inArray, isNull } from 'drizzle-orm';
import { maxWebhookEndpoints } from '../../contract/limits.ts';
import { findAgent } from '../chat/conversations.ts';
import { webhookEndpoints, workspaces } from '../db/schema.ts';
import { eventScopes, subscribableEvents } from '../core/event-types.ts';
import type { App } from '../app.ts';
import { reachesAll } from '../http/authenticate.ts';
import type { ApiKey, Dependencies } from '../http/environment.ts';
import { ApiError } from '../core/errors.ts';
import { once, type Hold } from '../http/idempotency.ts';
import { newId } from '../core/ids.ts';
import { conflict, created, json, jsonBody, noContent, operation } from '../http/operation.ts';
import { newestFirst, page, pageOf, pageQuery } from '../http/pages.ts';
import { basePath } from '../core/version.ts';
import { requirePublicUrl } from '../egress/check-url.ts';
import { serialiseWebhook, webhookOut } from '../resources/webhook.ts';

const subscription = z
  .object({
    url: z.string().max(2000),
    events: z.array(z.enum(subscribableEvents)).min(1).max(subscribableEvents.length),
    agent_id: z.string().max(100).optional(),
    description: z.string().max(200).optional(),
  })
  .openapi('WebhookSubscription');

export const webhookRoutes = (app: App, dependencies: Dependencies): void => {
  const { db } = dependencies;

  /** A bot plugin's endpoints are not the API's; a key limited to some agents sees what is pinned to them. */
  const visible = (key: ApiKey) =>
    and(
      eq(webhookEndpoints.workspaceId, key.workspaceId),
      isNull(webhookEndpoints.plugin),
      key.agentIds === null ? undefined : inArray(webhookEndpoints.agentId, key.agentIds),
    );

  const list = operation(
    dependencies,
    'get',
    '/webhooks',
    { needs: ['webhooks:read', 'webhooks:write'] },
    {
      operationId: 'listWebhooks',
      summary: 'The webhook endpoints, newest first.',
      request: { query: pageQuery },
      responses: { 200: json(pageOf(webhookOut), 'A page of endpoints, without their secrets.') },
    },
  );
  app.openapi(list, async (context) => {
    const { limit, cursor } = context.req.valid('query');
    const { after, order } = newestFirst(webhookEndpoints.createdAt, webhookEndpoints.id, cursor);
    const found = await db
      .select()
      .from(webhookEndpoints)
      .where(and(visible(context.var.key), after))
      .orderBy(...order)
      .limit(limit + 1);
    return context.json(
      page(found, limit, serialiseWebhook, (endpoint) => [endpoint.createdAt.toISOString(), endpoint.id]),
      200,
    );
  });

  const subscribe = operation(
    dependencies,
    'post',
    '/webhooks',
    { needs: 'webhooks:write' },
    {
      operationId: 'createWebhook',
      summary: 'Subscribe an endpoint; the answer holds its secret, this once.',
      request: { ...jsonBody(subscription) },
      responses: { 201: created(webhookOut, 'The endpoint.'), 409: conflict },
    },
  );
  app.openapi(subscribe, async (context) => {
    const key = context.var.key;
    const sent = context.req.valid('json');
    if (sent.agent_id === undefined) reachesAll(key);
    else await findAgent(db, key, sent.agent_id);
    for (const event of sent.events) {
      const scope = eventScopes[event];
      if (!key.scopes.includes(scope)) throw new ApiError('insufficient_scope', { required_scope: scope });
    }
    const answer = await once<z.infer<typeof webhookOut>>(
      dependencies,
      context,
      async ({ keep }) => {
        await requirePublicUrl(sent.url, dependencies.allowLoopback);
        return create(key, sent, keep);
      },
      (endpoint) => ({ ...endpoint, secret: null }),
    );
    context.header('Location', `${basePath}/webhooks/${answer.id}`);
    return context.json(answer, 201);
  });

  const create = async (
    key: ApiKey,
    { url, events, agent_id, description }: z.infer<typeof subscription>,
    keep: Hold<z.infer<typeof webhookOut>>['keep'],
  ): Promise<z.infer<typeof webhookOut>> => {
    const secret = `whsec_${randomBytes(24).toString('base64url')}`;
    return db.transaction(async (tx) => {
      // Held until the end, so that two calls at once cannot both be the tenth.
      await tx.select().from(workspaces).where(eq(workspaces.id, key.workspaceId)).for('update');
      const [had] = await tx
        .select({ endpoints: count() })
        .from(webhookEndpoints)
        .where(and(eq(webhookEndpoints.workspaceId, key.workspaceId), isNull(webhookEndpoints.plugin)));
      if (had!.endpoints >= maxWebhookEndpoints) throw new ApiError('too_many_endpoints');
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
      return keep(tx, { ...serialiseWebhook(endpoint!), secret });
    });
  };

  const remove = operation(
    dependencies,
    'delete',
    '/webhooks/{webhook_id}',
    { needs: 'webhooks:write' },
    {
      operationId: 'deleteWebhook',
      summary: 'Remove an endpoint and its delivery log.',
      request: { params: z.object({ webhook_id: z.string() }) },
      responses: { 204: noContent },
    },
  );
  app.openapi(remove, async (context) => {
    const gone = await db
      .delete(webhookEndpoints)
      .where(and(visible(context.var.key), eq(webhookEndpoints.id, context.req.valid('param').webhook_id)))
      .returning({ id: webhookEndpoints.id });
    if (gone.length === 0) throw new ApiError('not_found');
    return context.body(null, 204);
  });
};
