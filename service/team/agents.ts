/** Operations of the dashboard on agents and their identity secrets. */
import { randomBytes } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import { eq } from 'drizzle-orm';
import { rotateIdentitySecret } from '../contacts/identity.ts';
import { newId } from '../core/ids.ts';
import { findAgent } from '../db/find-agent.ts';
import { agents } from '../db/schema.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { recordChange } from './audit-log.ts';
import type { TeamApp } from './environment.ts';
import { parseBody } from './parse-body.ts';
import { boundedLine } from '../core/bounded-text.ts';

const isTimeZone = (name: string): boolean => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
};

const newAgent = z.object({
  name: boundedLine(120),
  language: z.enum(['english', 'arabic', 'bilingual']).default('bilingual'),
  time_zone: z.string().refine(isTimeZone, { message: 'An IANA time zone, for example Asia/Muscat.' }).default('UTC'),
});

export const agentRoutes = (app: TeamApp, dependencies: Dependencies): void => {
  createAgentRoute(app, dependencies);
  changeAgentRoute(app, dependencies);
  rotateSecretRoute(app, dependencies);
};

const createAgentRoute = (app: TeamApp, { db, now }: Dependencies): void => {
  app.post('/agents', async (context) => {
    const { name, language, time_zone } = await parseBody(context, newAgent);
    const at = new Date(now());
    const created = {
      id: newId('agt'),
      workspaceId: context.var.key.workspaceId,
      name,
      status: 'live' as const,
      language,
      publicKey: `pk_${randomBytes(16).toString('base64url')}`,
      timeZone: time_zone,
      createdAt: at,
      updatedAt: at,
    };
    await db.transaction(async (tx) => {
      await tx.insert(agents).values(created);
      await recordChange(tx, context, { action: 'agent.created', target: created.id }, at);
    });
    const { id, status, publicKey } = created;
    return context.json({ id, name, status, language, time_zone, public_key: publicKey }, 201);
  });
};

/** A retired agent stays with its conversations, but no call of the chat finds it. */
const changeAgentRoute = (app: TeamApp, { db, now }: Dependencies): void => {
  app.patch('/agents/:id', async (context) => {
    const { id, status: before } = await findAgent(db, context.var.key, context.req.param('id'));
    const { status } = await parseBody(context, z.object({ status: z.enum(['live', 'paused', 'retired']) }));
    const at = new Date(now());
    await db.transaction(async (tx) => {
      await tx.update(agents).set({ status, updatedAt: at }).where(eq(agents.id, id));
      if (before === status) return;
      await recordChange(tx, context, { action: `agent.${status}`, target: id, detail: { before } }, at);
    });
    return context.json({ id, status });
  });
};

const rotateSecretRoute = (app: TeamApp, dependencies: Dependencies): void => {
  const { db, now } = dependencies;
  app.post('/agents/:id/identity-secret', async (context) => {
    const { id } = await findAgent(db, context.var.key, context.req.param('id'));
    const { end_previous } = await parseBody(context, z.object({ end_previous: z.boolean().default(false) }));
    const secret = `idsec_${randomBytes(32).toString('base64url')}`;
    await rotateIdentitySecret(dependencies, { agentId: id, secret, endPrevious: end_previous });
    const change = { action: 'agent.identity_secret_rotated', target: id, detail: { end_previous } };
    await recordChange(db, context, change, new Date(now()));
    return context.json({ secret }, 201);
  });
};
