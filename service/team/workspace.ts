/** Operations of the dashboard on keys, members, agents, identity secrets, hosts and webhook endpoints. */
import { randomBytes } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import { and, desc, eq, isNull } from 'drizzle-orm';
import { verifyHost } from '../actions/verify-host.ts';
import type { Db } from '../db/database.ts';
import { findAgent } from '../db/find-agent.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { actions, agents, apiKeys, deliveries, events, members, webhookEndpoints } from '../db/schema.ts';
import { replay } from '../events/deliver.ts';
import { emit } from '../events/emit.ts';
import { ApiError } from '../core/errors.ts';
import { newId, newKey, sha256 } from '../core/ids.ts';
import { scopes } from '../core/scopes.ts';
import { rotateIdentitySecret } from '../contacts/identity.ts';
import { serialiseWebhook } from '../resources/webhook.ts';
import type { TeamApp } from './environment.ts';
import { parseBody } from './parse-body.ts';

const maxDeliveries = 50;

const newKeySchema = z.object({
  label: z.string().trim().min(1).max(100),
  kind: z.enum(['secret', 'publishable']),
  scopes: z.array(z.enum(scopes)),
  agent_ids: z.array(z.string()).nullable().default(null),
  expires_at: z.iso.datetime().nullable().default(null),
});

export const workspaceRoutes = (app: TeamApp, dependencies: Dependencies): void => {
  createKeyRoute(app, dependencies);
  revokeKeyRoute(app, dependencies);
  endMembershipRoute(app, dependencies);
  changeAgentRoute(app, dependencies);
  rotateSecretRoute(app, dependencies);
  verifyActionHostRoute(app, dependencies);
  changeEndpointRoute(app, dependencies);
  testEndpointRoute(app, dependencies);
  listDeliveriesRoute(app, dependencies);
  replayDeliveryRoute(app, dependencies);
};

const createKeyRoute = (app: TeamApp, dependencies: Dependencies): void => {
  const { db } = dependencies;
  const at = () => new Date(dependencies.now());
  app.post('/keys', async (context) => {
    const { label, kind, agent_ids, expires_at, ...sent } = await parseBody(context, newKeySchema);
    for (const id of agent_ids ?? []) await findAgent(db, context.var.key, id);
    const key = newKey(kind);
    const id = newId('key');
    await db.insert(apiKeys).values({
      id,
      workspaceId: context.var.key.workspaceId,
      kind,
      label,
      keyHash: sha256(key),
      scopes: sent.scopes,
      agentIds: agent_ids,
      makerId: context.var.memberId,
      expiresAt: expires_at === null ? null : new Date(expires_at),
      createdAt: at(),
    });
    return context.json({ id, key }, 201);
  });
};

const revokeKeyRoute = (app: TeamApp, dependencies: Dependencies): void => {
  const { db } = dependencies;
  const at = () => new Date(dependencies.now());
  app.delete('/keys/:id', async (context) => {
    const revoked = await db
      .update(apiKeys)
      .set({ revokedAt: at() })
      .where(and(eq(apiKeys.id, context.req.param('id')), eq(apiKeys.workspaceId, context.var.key.workspaceId)))
      .returning({ id: apiKeys.id });
    if (revoked.length === 0) throw new ApiError('not_found');
    return context.body(null, 204);
  });
};

const endMembershipRoute = (app: TeamApp, dependencies: Dependencies): void => {
  const { db } = dependencies;
  const at = () => new Date(dependencies.now());
  /** Ends a membership: revokes the member's keys and disables their endpoints until the owner enables them. */
  app.delete('/members/:id', async (context) => {
    const { workspaceId } = context.var.key;
    await db.transaction(async (tx) => {
      const [member] = await tx
        .update(members)
        .set({ endedAt: at() })
        .where(
          and(eq(members.id, context.req.param('id')), eq(members.workspaceId, workspaceId), isNull(members.endedAt)),
        )
        .returning();
      if (!member) throw new ApiError('not_found');
      if (member.role === 'owner') throw new ApiError('conflict', { details: 'owner' });
      await tx
        .update(apiKeys)
        .set({ revokedAt: at() })
        .where(and(eq(apiKeys.makerId, member.id), isNull(apiKeys.revokedAt)));
      await tx
        .update(webhookEndpoints)
        .set({ enabled: false, disabledReason: 'maker_left' })
        .where(and(eq(webhookEndpoints.makerId, member.id), eq(webhookEndpoints.enabled, true)));
    });
    return context.body(null, 204);
  });
};

const changeAgentRoute = (app: TeamApp, dependencies: Dependencies): void => {
  const { db } = dependencies;
  const at = () => new Date(dependencies.now());
  app.patch('/agents/:id', async (context) => {
    const { id } = await findAgent(db, context.var.key, context.req.param('id'));
    const { status } = await parseBody(context, z.object({ status: z.enum(['live', 'paused', 'retired']) }));
    await db.update(agents).set({ status, updatedAt: at() }).where(eq(agents.id, id));
    return context.json({ id, status });
  });
};

const rotateSecretRoute = (app: TeamApp, dependencies: Dependencies): void => {
  const { db } = dependencies;
  app.post('/agents/:id/identity-secret', async (context) => {
    const { id } = await findAgent(db, context.var.key, context.req.param('id'));
    const { end_previous } = await parseBody(context, z.object({ end_previous: z.boolean().default(false) }));
    const secret = `idsec_${randomBytes(32).toString('base64url')}`;
    await rotateIdentitySecret(dependencies, { agentId: id, secret, endPrevious: end_previous });
    return context.json({ secret }, 201);
  });
};

const verifyActionHostRoute = (app: TeamApp, dependencies: Dependencies): void => {
  const { db } = dependencies;
  app.post('/agents/:agent/actions/:id/verify-host', async (context) => {
    const agent = await findAgent(db, context.var.key, context.req.param('agent'));
    const [action] = await db
      .select()
      .from(actions)
      .where(and(eq(actions.id, context.req.param('id')), eq(actions.agentId, agent.id)));
    if (!action) throw new ApiError('not_found');
    return context.json({ host_verified: await verifyHost(dependencies, action) });
  });
};

const changeEndpointRoute = (app: TeamApp, dependencies: Dependencies): void => {
  const { db } = dependencies;
  app.patch('/webhooks/:id', async (context) => {
    const { id } = await endpointOf(db, context.var.key.workspaceId, context.req.param('id'));
    const { enabled } = await parseBody(context, z.object({ enabled: z.boolean() }));
    const [switched] = await db
      .update(webhookEndpoints)
      .set({ enabled, disabledReason: enabled ? null : 'owner', failuresInRow: 0 })
      .where(eq(webhookEndpoints.id, id))
      .returning();
    return context.json(serialiseWebhook(switched!));
  });
};

const testEndpointRoute = (app: TeamApp, dependencies: Dependencies): void => {
  const { db } = dependencies;
  const at = () => new Date(dependencies.now());
  app.post('/webhooks/:id/test', async (context) => {
    const { id, workspaceId, agentId } = await endpointOf(db, context.var.key.workspaceId, context.req.param('id'));
    const data = { message: 'test' };
    const event = await db.transaction((tx) =>
      emit(tx, { workspaceId, agentId, type: 'webhook.test', data, at: at(), onlyTo: id }),
    );
    return context.json({ id: event }, 202);
  });
};

const listDeliveriesRoute = (app: TeamApp, dependencies: Dependencies): void => {
  const { db } = dependencies;
  app.get('/webhooks/:id/deliveries', async (context) => {
    const { id } = await endpointOf(db, context.var.key.workspaceId, context.req.param('id'));
    const log = await db
      .select({ delivery: deliveries, type: events.type })
      .from(deliveries)
      .innerJoin(events, eq(events.id, deliveries.eventId))
      .where(eq(deliveries.endpointId, id))
      .orderBy(desc(deliveries.createdAt), desc(deliveries.id))
      .limit(maxDeliveries);
    // The lease is of no use to a reader. JSON leaves undefined members out.
    const withoutLease = { holder: undefined, lockedUntil: undefined };
    return context.json({ data: log.map(({ delivery, type }) => ({ ...delivery, ...withoutLease, type })) });
  });
};

const replayDeliveryRoute = (app: TeamApp, dependencies: Dependencies): void => {
  const { db } = dependencies;
  const at = () => new Date(dependencies.now());
  app.post('/webhooks/:endpoint/deliveries/:id/replay', async (context) => {
    const endpoint = await endpointOf(db, context.var.key.workspaceId, context.req.param('endpoint'));
    const [delivery] = await db
      .select({ id: deliveries.id })
      .from(deliveries)
      .where(and(eq(deliveries.id, context.req.param('id')), eq(deliveries.endpointId, endpoint.id)));
    if (!delivery) throw new ApiError('not_found');
    if (!(await replay(db, delivery.id, at()))) throw new ApiError('conflict', { details: 'pending' });
    return context.body(null, 202);
  });
};

const endpointOf = async (db: Db, workspaceId: string, id: string) => {
  const [endpoint] = await db
    .select()
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.workspaceId, workspaceId)));
  if (!endpoint) throw new ApiError('not_found');
  return endpoint;
};
