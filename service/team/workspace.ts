/** Operations of the dashboard on keys, hosts and webhook endpoints. */
import { z } from '@hono/zod-openapi';
import { and, eq } from 'drizzle-orm';
import { findAction } from '../actions/find-action.ts';
import { verifyHost } from '../actions/verify-host.ts';
import type { Db } from '../db/database.ts';
import { findAgent } from '../db/find-agent.ts';
import { requireRow } from '../db/require-row.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { byCreation, newestFirst, page, pageQuery } from '../http/pages.ts';
import { apiKeys, deliveries, events, webhookEndpoints } from '../db/schema.ts';
import { replay } from '../events/deliver.ts';
import { emit } from '../events/emit.ts';
import { ApiError } from '../core/errors.ts';
import { newId, newKey, sha256 } from '../core/ids.ts';
import { scopes } from '../core/scopes.ts';
import { serializeWebhook } from '../resources/webhook.ts';
import { recordChange } from '../db/audit.ts';
import type { TeamApp } from './environment.ts';
import { parseBody, parseQuery } from './parse-body.ts';
import { boundedLine } from '../core/bounded-text.ts';

const newKeySchema = z.object({
  label: boundedLine(100),
  kind: z.enum(['secret', 'publishable']),
  scopes: z.array(z.enum(scopes)),
  agent_ids: z.array(z.string()).nullable().default(null),
  // Earlier times are errors, and PostgreSQL has no year 0.
  expires_at: z.iso
    .datetime()
    .refine((time) => Date.parse(time) > 0)
    .nullable()
    .default(null),
});

export const workspaceRoutes = (app: TeamApp, dependencies: Dependencies): void => {
  createKeyRoute(app, dependencies);
  revokeKeyRoute(app, dependencies);
  verifyActionHostRoute(app, dependencies);
  changeEndpointRoute(app, dependencies);
  testEndpointRoute(app, dependencies);
  listDeliveriesRoute(app, dependencies);
  replayDeliveryRoute(app, dependencies);
};

const createKeyRoute = (app: TeamApp, { db, now }: Dependencies): void => {
  app.post('/keys', async (context) => {
    const { label, kind, agent_ids, expires_at, ...sent } = await parseBody(context, newKeySchema);
    for (const id of agent_ids ?? []) await findAgent(db, context.var.caller, id);
    const key = newKey(kind);
    const id = newId('key');
    const at = new Date(now());
    await db.transaction(async (tx) => {
      await tx.insert(apiKeys).values({
        id,
        workspaceId: context.var.caller.workspaceId,
        kind,
        label,
        keyHash: sha256(key),
        scopes: sent.scopes,
        agentIds: agent_ids,
        makerId: context.var.caller.memberId,
        expiresAt: expires_at === null ? null : new Date(expires_at),
        createdAt: at,
      });
      const detail = { kind, scopes: sent.scopes };
      await recordChange(tx, context.var.caller, { action: 'key.created', target: id, detail }, at);
    });
    return context.json({ id, key }, 201);
  });
};

const revokeKeyRoute = (app: TeamApp, { db, now }: Dependencies): void => {
  app.delete('/keys/:id', async (context) => {
    const id = context.req.param('id');
    await db.transaction(async (tx) => {
      const isKey = and(eq(apiKeys.id, id), eq(apiKeys.workspaceId, context.var.caller.workspaceId));
      const key = await requireRow(tx.select().from(apiKeys).where(isKey).for('update'));
      // The time of the first revocation stays, because the key is deleted some time after it.
      if (key.revokedAt !== null) return;
      const at = new Date(now());
      await tx.update(apiKeys).set({ revokedAt: at }).where(isKey);
      await recordChange(tx, context.var.caller, { action: 'key.revoked', target: id }, at);
    });
    return context.body(null, 204);
  });
};

const verifyActionHostRoute = (app: TeamApp, dependencies: Dependencies): void => {
  const { db } = dependencies;
  app.post('/agents/:agent/actions/:id/verify-host', async (context) => {
    const agent = await findAgent(db, context.var.caller, context.req.param('agent'));
    const action = await findAction(db, agent, context.req.param('id'));
    return context.json({ host_verified: await verifyHost(dependencies, action) });
  });
};

const changeEndpointRoute = (app: TeamApp, dependencies: Dependencies): void => {
  const { db } = dependencies;
  app.patch('/webhooks/:id', async (context) => {
    const { id } = await endpointOf(db, context.var.caller.workspaceId, context.req.param('id'));
    const { enabled } = await parseBody(context, z.object({ enabled: z.boolean() }));
    const next = { enabled, disabledReason: enabled ? null : ('owner' as const), failuresInRow: 0 };
    const action = enabled ? 'webhook.enabled' : 'webhook.disabled';
    const switched = await db.transaction(async (tx) => {
      await recordChange(tx, context.var.caller, { action, target: id }, new Date(dependencies.now()));
      return requireRow(tx.update(webhookEndpoints).set(next).where(eq(webhookEndpoints.id, id)).returning());
    });
    return context.json(serializeWebhook(switched));
  });
};

const testEndpointRoute = (app: TeamApp, { db, now }: Dependencies): void => {
  app.post('/webhooks/:id/test', async (context) => {
    const { id, workspaceId, agentId } = await endpointOf(db, context.var.caller.workspaceId, context.req.param('id'));
    const data = { message: 'test' };
    const event = await db.transaction((tx) =>
      emit(tx, { workspaceId, agentId, type: 'webhook.test', data, at: new Date(now()), onlyTo: id }),
    );
    return context.json({ id: event }, 202);
  });
};

const listDeliveriesRoute = (app: TeamApp, { db }: Dependencies): void => {
  app.get('/webhooks/:id/deliveries', async (context) => {
    const { id } = await endpointOf(db, context.var.caller.workspaceId, context.req.param('id'));
    const { limit, cursor } = parseQuery(context, pageQuery);
    const { after, order } = newestFirst(deliveries.createdAt, deliveries.id, cursor);
    const log = await db
      .select({ delivery: deliveries, type: events.type })
      .from(deliveries)
      .innerJoin(events, eq(events.id, deliveries.eventId))
      .where(and(eq(deliveries.endpointId, id), after))
      .orderBy(...order)
      .limit(limit + 1);
    return context.json(page(log, limit, serializeDelivery, ({ delivery }) => byCreation(delivery)));
  });
};

const serializeDelivery = ({ delivery, type }: { delivery: typeof deliveries.$inferSelect; type: string }) => {
  // The lease is of no use to a reader. JSON leaves undefined members out.
  return { ...delivery, holder: undefined, lockedUntil: undefined, type };
};

const replayDeliveryRoute = (app: TeamApp, { db, now }: Dependencies): void => {
  app.post('/webhooks/:endpoint/deliveries/:id/replay', async (context) => {
    const endpoint = await endpointOf(db, context.var.caller.workspaceId, context.req.param('endpoint'));
    const isDelivery = and(eq(deliveries.id, context.req.param('id')), eq(deliveries.endpointId, endpoint.id));
    const { id } = await requireRow(db.select().from(deliveries).where(isDelivery));
    if (!(await replay(db, id, new Date(now())))) throw new ApiError('conflict', { details: 'pending' });
    return context.body(null, 202);
  });
};

const endpointOf = (db: Db, workspaceId: string, id: string) => {
  const isEndpoint = and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.workspaceId, workspaceId));
  return requireRow(db.select().from(webhookEndpoints).where(isEndpoint));
};
