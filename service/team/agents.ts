/** Operations of the dashboard on agents and their identity secrets. */
import { randomBytes } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import { eq } from 'drizzle-orm';
import { rotateIdentitySecret } from '../contacts/identity.ts';
import { isTimeZone } from '../core/time-zone.ts';
import { newId, newPublicKey } from '../core/ids.ts';
import { findAgent } from '../db/find-agent.ts';
import { lockAgent } from '../db/row-locks.ts';
import { agents } from '../db/schema.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { recordChange } from '../db/audit.ts';
import type { TeamApp } from './environment.ts';
import { parseBody } from './parse-body.ts';
import { auditOriginChange, normalizeOrigins } from '../db/allowed-origins.ts';
import { boundedLine, boundedText } from '../core/bounded-text.ts';

const language = z.enum(['english', 'arabic', 'bilingual']);
const timeZone = z.string().refine(isTimeZone, { message: 'An IANA time zone, for example Asia/Muscat.' });

const newAgent = z.object({
  name: boundedLine(120),
  language: language.default('bilingual'),
  time_zone: timeZone.default('UTC'),
});

const agentChange = z.object({
  name: boundedLine(120).optional(),
  language: language.optional(),
  time_zone: timeZone.optional(),
  status: z.enum(['live', 'paused', 'retired']).optional(),
  allowed_origins: z.array(boundedText(300)).max(100).optional(),
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
      workspaceId: context.var.caller.workspaceId,
      name,
      status: 'live' as const,
      language,
      publicKey: newPublicKey(),
      timeZone: time_zone,
      createdAt: at,
      updatedAt: at,
    };
    await db.transaction(async (tx) => {
      await tx.insert(agents).values(created);
      await recordChange(tx, context.var.caller, { action: 'agent.created', target: created.id }, at);
    });
    const { id, status, publicKey } = created;
    return context.json({ id, name, status, language, time_zone, public_key: publicKey }, 201);
  });
};

/** A retired agent stays with its conversations, but no call of the chat finds it. */
const changeAgentRoute = (app: TeamApp, { db, now }: Dependencies): void => {
  app.patch('/agents/:id', async (context) => {
    const { id } = await findAgent(db, context.var.caller, context.req.param('id'));
    const sent = await parseBody(context, agentChange);
    const origins = sent.allowed_origins && normalizeOrigins(sent.allowed_origins);
    const at = new Date(now());
    const changed = await db.transaction(async (tx) => {
      await lockAgent(tx, id);
      const before = await findAgent(tx, context.var.caller, id);
      const next = {
        name: sent.name ?? before.name,
        language: sent.language ?? before.language,
        timeZone: sent.time_zone ?? before.timeZone,
        status: sent.status ?? before.status,
        allowedOrigins: origins ?? before.allowedOrigins,
      };
      await auditOriginChange(tx, context.var.caller, before, next.allowedOrigins, at.getTime());
      await tx
        .update(agents)
        .set({ ...next, updatedAt: at })
        .where(eq(agents.id, id));
      if (before.status !== next.status) {
        const change = { action: `agent.${next.status}`, target: id, detail: { before: before.status } };
        await recordChange(tx, context.var.caller, change, at);
      }
      const fields = (['name', 'language', 'timeZone'] as const).filter((field) => before[field] !== next[field]);
      if (fields.length > 0) {
        await recordChange(tx, context.var.caller, { action: 'agent.changed', target: id, detail: { fields } }, at);
      }
      return next;
    });
    const { timeZone: time_zone, allowedOrigins: allowed_origins, ...rest } = changed;
    return context.json({ id, ...rest, time_zone, allowed_origins });
  });
};

const rotateSecretRoute = (app: TeamApp, dependencies: Dependencies): void => {
  const { db, now } = dependencies;
  app.post('/agents/:id/identity-secret', async (context) => {
    const { id } = await findAgent(db, context.var.caller, context.req.param('id'));
    const { end_previous } = await parseBody(context, z.object({ end_previous: z.boolean().default(false) }));
    const secret = `idsec_${randomBytes(32).toString('base64url')}`;
    const change = { action: 'agent.identity_secret_rotated', target: id, detail: { end_previous } };
    await db.transaction(async (tx) => {
      await rotateIdentitySecret(tx, dependencies, { agentId: id, secret, endPrevious: end_previous });
      await recordChange(tx, context.var.caller, change, new Date(now()));
    });
    return context.json({ secret }, 201);
  });
};
