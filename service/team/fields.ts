/** Saves the lead fields, the ticket fields and the tag rules. Each list is replaced as a whole. */
import { randomUUID } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import { eq } from 'drizzle-orm';
import { findAgent } from '../db/find-agent.ts';
import type { Dependencies } from '../http/dependencies.ts';
import type { LeadField } from '../db/records.ts';
import { lockAgent, lockWorkspace } from '../db/row-locks.ts';
import { leadFields, tagRules, ticketFields } from '../db/schema.ts';
import { newId } from '../core/ids.ts';
import { formField } from '../resources/lead-field.ts';
import type { TeamApp } from './environment.ts';
import { parseBody } from './parse-body.ts';
import { boundedLine, trimmedText } from '../core/bounded-text.ts';

const key = z.string().regex(/^[a-z][a-z0-9_]{0,39}$/);
const label = trimmedText(100);
const options = z.array(boundedLine(100)).max(50).default([]);

interface Field {
  key: string;
  kind: string;
  options: string[];
}

const wellFormed = (fields: Field[], context: z.RefinementCtx) => {
  fields.forEach((field, at) => {
    const addIssue = (name: string, message: string) => context.addIssue({ code: 'custom', path: [at, name], message });
    if (fields.findIndex((each) => each.key === field.key) < at) addIssue('key', 'Another field has this key.');
    if (field.kind === 'select' && field.options.length === 0) addIssue('options', 'A select field needs options.');
  });
};

const leadFieldList = z
  .array(
    z.object({
      key,
      label_en: label.min(1),
      label_ar: label.default(''),
      kind: z.enum(['text', 'email', 'phone', 'number', 'date', 'select']),
      options,
      required: z.boolean().default(false),
      ask_when: z.enum(['always', 'if_missing']).default('always'),
    }),
  )
  .max(30)
  .superRefine(wellFormed);

const ticketFieldList = z
  .array(z.object({ key, label: label.min(1), kind: z.enum(['text', 'number', 'boolean', 'select']), options }))
  .max(30)
  .superRefine(wellFormed);

const ruleList = z.array(z.object({ words: boundedLine(100), tag: boundedLine(50) })).max(100);

export const fieldRoutes = (app: TeamApp, { db, now }: Dependencies): void => {
  app.post('/agents/:id/lead-fields', async (context) => {
    const { id: agentId } = await findAgent(db, context.var.caller, context.req.param('id'));
    const { fields } = await parseBody(context, z.object({ fields: leadFieldList }));
    const saved = await db.transaction(async (tx) => {
      await lockAgent(tx, agentId);
      const before = await tx.select().from(leadFields).where(eq(leadFields.agentId, agentId));
      await tx.delete(leadFields).where(eq(leadFields.agentId, agentId));
      if (fields.length === 0) return [];
      const existing = (name: string) => before.find((field) => field.key === name);
      return tx
        .insert(leadFields)
        .values(
          fields.map(({ label_en, label_ar, ask_when, ...field }, position) => ({
            ...field,
            id: existing(field.key)?.id ?? newId('fld'),
            agentId,
            labelEn: label_en,
            labelAr: label_ar,
            askWhen: ask_when,
            position,
            createdAt: existing(field.key)?.createdAt ?? new Date(now()),
          })),
        )
        .returning();
    });
    return context.json({ data: saved.map(editableLeadField) });
  });

  app.post('/ticket-fields', async (context) => {
    const { workspaceId } = context.var.caller;
    const { fields } = await parseBody(context, z.object({ fields: ticketFieldList }));
    const saved = await db.transaction(async (tx) => {
      await lockWorkspace(tx, workspaceId);
      await tx.delete(ticketFields).where(eq(ticketFields.workspaceId, workspaceId));
      if (fields.length === 0) return [];
      const rows = fields.map((field) => ({ ...field, id: randomUUID(), workspaceId }));
      return tx.insert(ticketFields).values(rows).returning();
    });
    return context.json({ data: saved.map(serializeTicketField) });
  });

  app.post('/tag-rules', async (context) => {
    const { workspaceId } = context.var.caller;
    const { rules } = await parseBody(context, z.object({ rules: ruleList }));
    await db.transaction(async (tx) => {
      await lockWorkspace(tx, workspaceId);
      await tx.delete(tagRules).where(eq(tagRules.workspaceId, workspaceId));
      const rows = rules.map((rule) => ({ ...rule, id: randomUUID(), workspaceId }));
      if (rows.length > 0) await tx.insert(tagRules).values(rows);
    });
    return context.json({ data: rules });
  });
};

/** The part of a lead field that the team edits. */
export const editableLeadField = (field: LeadField) => ({ ...formField(field), ask_when: field.askWhen });

export const serializeTicketField = (field: typeof ticketFields.$inferSelect) => {
  return { key: field.key, label: field.label, kind: field.kind, options: field.options };
};
