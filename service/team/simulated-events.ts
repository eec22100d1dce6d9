/**
 * Simulates events that come from other systems, so that their receivers can be tested: purchased conversations, mail
 * events of a contact, sent campaigns and ended voice calls.
 */
import { randomUUID } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import { and, eq } from 'drizzle-orm';
import { usageOf } from '../chat/quota.ts';
import { monthOf } from '../chat/usage-counts.ts';
import { findAgent } from '../db/find-agent.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { contacts, conversations, topUps } from '../db/schema.ts';
import { emit } from '../events/emit.ts';
import { requireRow } from '../db/require-row.ts';
import { newId } from '../core/ids.ts';
import { serializeContact } from '../resources/contact.ts';
import type { TeamApp } from './environment.ts';
import { parseBody } from './parse-body.ts';
import { boundedLine } from '../core/bounded-text.ts';

const campaign = z.object({
  name: boundedLine(200),
  recipients: z.number().int().min(0).max(10_000_000),
});

const call = z.object({
  conversation_id: z.string().optional(),
  duration_seconds: z.number().int().min(0).max(86_400),
});

export const simulatedEventRoutes = (app: TeamApp, dependencies: Dependencies): void => {
  topUpRoute(app, dependencies);
  mailEventRoute(app, dependencies);
  sendCampaignRoute(app, dependencies);
  endVoiceSessionRoute(app, dependencies);
};

const topUpRoute = (app: TeamApp, { db, now }: Dependencies): void => {
  app.post('/top-ups', async (context) => {
    const { workspaceId } = context.var.caller;
    const { conversations: bought } = await parseBody(
      context,
      z.object({ conversations: z.number().int().min(1).max(1_000_000) }),
    );
    const month = monthOf(now());
    await db.insert(topUps).values({ id: randomUUID(), workspaceId, month, conversations: bought });
    return context.json(await usageOf(db, workspaceId, now()), 201);
  });
};

const mailEventRoute = (app: TeamApp, { db, now }: Dependencies): void => {
  app.post('/contacts/:id/mail', async (context) => {
    const { event: marketingStatus } = await parseBody(
      context,
      z.object({ event: z.enum(['unsubscribed', 'bounced', 'complained']) }),
    );
    const { workspaceId } = context.var.caller;
    const isContact = and(eq(contacts.id, context.req.param('id')), eq(contacts.workspaceId, workspaceId));
    const next = { marketingStatus, consentMarketing: false, consentMarketingAt: null, updatedAt: new Date(now()) };
    const contact = await requireRow(db.update(contacts).set(next).where(isContact).returning());
    return context.json(serializeContact(contact));
  });
};

const sendCampaignRoute = (app: TeamApp, { db, now }: Dependencies): void => {
  app.post('/campaigns', async (context) => {
    const { workspaceId } = context.var.caller;
    const { name, recipients } = await parseBody(context, campaign);
    const data = { campaign_id: `cmp_${randomUUID()}`, name, recipients, sent_at: new Date(now()).toISOString() };
    const sent = { workspaceId, agentId: null, type: 'campaign.sent', data, at: new Date(now()) } as const;
    return context.json({ id: await db.transaction((tx) => emit(tx, sent)), data }, 201);
  });
};

const endVoiceSessionRoute = (app: TeamApp, { db, now }: Dependencies): void => {
  app.post('/agents/:id/voice-sessions', async (context) => {
    const { id: agentId, workspaceId } = await findAgent(db, context.var.caller, context.req.param('id'));
    const { conversation_id, duration_seconds } = await parseBody(context, call);
    if (conversation_id !== undefined) {
      const isOfAgent = and(eq(conversations.id, conversation_id), eq(conversations.agentId, agentId));
      await requireRow(db.select({ id: conversations.id }).from(conversations).where(isOfAgent));
    }
    const data = {
      conversation_id: conversation_id ?? newId('cnv'),
      duration_seconds,
      ended_at: new Date(now()).toISOString(),
    };
    const ended = { workspaceId, agentId, type: 'voice.session.ended', data, at: new Date(now()) } as const;
    return context.json({ id: await db.transaction((tx) => emit(tx, ended)), data }, 201);
  });
};
