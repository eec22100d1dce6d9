/** The operations on leads, and the list of an agent's lead fields. */
import { z } from '@hono/zod-openapi';
import { and, eq } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { findAgent } from '../db/find-agent.ts';
import { requireReachable, requireRow } from '../db/require-row.ts';
import type { Dependencies } from '../http/dependencies.ts';
import type { Lead } from '../db/records.ts';
import { leadFieldsOf } from '../chat/lead-fields.ts';
import { lockContacts } from '../contacts/contacts.ts';
import { anonymizeLead } from '../contacts/delete-contact.ts';
import { recordChange } from '../db/audit.ts';
import { leads } from '../db/schema.ts';
import { emit } from '../events/emit.ts';
import type { ApiKey, App } from '../http/environment.ts';
import { invalid } from '../core/errors.ts';
import { agentOfCall } from '../http/authenticate.ts';
import { json, jsonBody, noContent, operation } from '../http/operation.ts';
import { byCreation, listedAgents, newestFirst, page, pageOf, pageQuery, readMerged } from '../http/pages.ts';
import { leadFieldOut, serializeLeadField } from '../resources/lead-field.ts';
import { leadOut, serializeLead, status } from '../resources/lead.ts';
import { atLeastOne, mergedUpTo, flatValues } from '../core/merge.ts';
import { boundedText } from '../core/bounded-text.ts';

/** Keys of a lead's `data`. */
const maxDataKeys = 50;

const leadChange = z
  .object({
    status: status.optional(),
    name: boundedText(200).optional(),
    contact: boundedText(320).optional(),
    interest: boundedText(500).optional(),
    notes: boundedText(10_000).optional(),
    data: flatValues({ maxKeys: maxDataKeys, maxLength: 2000 }).optional(),
  })
  .superRefine(atLeastOne)
  .openapi('LeadChange');

const params = z.object({ lead_id: z.string() });

export const leadRoutes = (app: App, dependencies: Dependencies): void => {
  listLeadsRoute(app, dependencies);
  getLeadRoute(app, dependencies);
  changeLeadRoute(app, dependencies);
  deleteLeadRoute(app, dependencies);
  listLeadFieldsRoute(app, dependencies);
};

const listLeadsRoute = (app: App, dependencies: Dependencies): void => {
  const { db } = dependencies;
  const route = operation(dependencies, {
    method: 'get',
    path: '/leads',
    scope: 'leads:read',
    operationId: 'listLeads',
    summary: 'The leads of the agents that the key can reach, newest first.',
    request: { query: pageQuery.extend({ agent_id: z.string().optional(), status: status.optional() }) },
    responses: { 200: json(pageOf(leadOut), 'A page of leads.') },
  });
  app.openapi(route, async (context) => {
    const key = context.var.key;
    const query = context.req.valid('query');
    if (query.agent_id !== undefined) await findAgent(db, key, query.agent_id);
    const { after, order } = newestFirst(leads.createdAt, leads.id, query.cursor);
    const leadsOf = (agentId: string | undefined) => {
      const ofAgent = agentId === undefined ? undefined : eq(leads.agentId, agentId);
      const ofStatus = query.status && eq(leads.status, query.status);
      return db
        .select()
        .from(leads)
        .where(and(eq(leads.workspaceId, key.workspaceId), ofAgent, ofStatus, after));
    };
    const found = await readMerged(listedAgents(key, query.agent_id).map(leadsOf), order, query.limit + 1);
    return context.json(page(found, query.limit, serializeLead, byCreation), 200);
  });
};

const getLeadRoute = (app: App, dependencies: Dependencies): void => {
  const { db } = dependencies;
  const route = operation(dependencies, {
    method: 'get',
    path: '/leads/{lead_id}',
    scope: 'leads:read',
    operationId: 'getLead',
    summary: 'One lead.',
    request: { params },
    responses: { 200: json(leadOut, 'The lead.') },
  });
  app.openapi(route, async (context) => {
    return context.json(serializeLead(await findLead(db, context.var.key, context.req.valid('param').lead_id)), 200);
  });
};

const changeLeadRoute = (app: App, dependencies: Dependencies): void => {
  const { db } = dependencies;
  const route = operation(dependencies, {
    method: 'patch',
    path: '/leads/{lead_id}',
    scope: 'leads:write',
    operationId: 'changeLead',
    summary: 'Change a lead. `data` is merged by key, and null removes a key.',
    request: { params, ...jsonBody(leadChange) },
    responses: { 200: json(leadOut, 'The changed lead.') },
  });
  app.openapi(route, async (context) => {
    const { id, agentId, workspaceId } = await findLead(db, context.var.key, context.req.valid('param').lead_id);
    const { data: values, ...sent } = context.req.valid('json');
    if (values) await requireKnownOptions(db, agentId, values);
    const at = new Date(dependencies.now());
    const changed = await db.transaction(async (tx) => {
      // The deletion of the contact, which anonymizes the events of the lead, comes either before or after it.
      await lockContacts(tx, workspaceId);
      const lead = await requireRow(tx.select().from(leads).where(eq(leads.id, id)).for('update'));
      const [after] = await tx
        .update(leads)
        .set({ ...sent, data: mergedUpTo(maxDataKeys, 'data', lead.data, values), updatedAt: at })
        .where(eq(leads.id, id))
        .returning();
      const data = serializeLead(after!);
      await emit(tx, { workspaceId, agentId, type: 'lead.updated', data, at });
      if (lead.status !== after!.status) {
        const moved = { ...data, previous_status: lead.status };
        await emit(tx, { workspaceId, agentId, type: 'lead.status_changed', data: moved, at });
      }
      return after!;
    });
    return context.json(serializeLead(changed), 200);
  });
};

const deleteLeadRoute = (app: App, dependencies: Dependencies): void => {
  const { db } = dependencies;
  const route = operation(dependencies, {
    method: 'delete',
    path: '/leads/{lead_id}',
    scope: 'leads:write',
    operationId: 'deleteLead',
    summary: 'Delete a lead permanently. Its conversation and bookings stay.',
    request: { params },
    responses: { 204: noContent },
  });
  app.openapi(route, async (context) => {
    const key = context.var.key;
    const lead = await findLead(db, key, context.req.valid('param').lead_id);
    await db.transaction(async (tx) => {
      await lockContacts(tx, key.workspaceId);
      await requireRow(tx.delete(leads).where(eq(leads.id, lead.id)).returning({ id: leads.id }));
      await anonymizeLead(tx, lead);
      const by = { workspaceId: key.workspaceId, memberId: null, keyId: key.id };
      await recordChange(tx, by, { action: 'lead.deleted', target: lead.id }, new Date(dependencies.now()));
    });
    return context.body(null, 204);
  });
};

const listLeadFieldsRoute = (app: App, dependencies: Dependencies): void => {
  const { db } = dependencies;
  const route = operation(dependencies, {
    method: 'get',
    path: '/agents/{agent_id}/lead-fields',
    scope: 'leads:read',
    operationId: 'listLeadFields',
    summary: 'The fields that the agent asks of a lead, in the order that the owner chose.',
    request: { params: z.object({ agent_id: z.string() }) },
    responses: { 200: json(pageOf(leadFieldOut), 'All lead fields.') },
  });
  app.openapi(route, async (context) => {
    const agent = agentOfCall(context);
    const fields = await leadFieldsOf(db, agent.id);
    return context.json({ data: fields.map(serializeLeadField), next_cursor: null }, 200);
  });
};

const findLead = (db: Db, key: ApiKey, id: string): Promise<Lead> => {
  const isLead = and(eq(leads.id, id), eq(leads.workspaceId, key.workspaceId));
  return requireReachable(key, db.select().from(leads).where(isLead));
};

/** The value of a select field must be one of its options. */
const requireKnownOptions = async (db: Db, agentId: string, data: Record<string, unknown>): Promise<void> => {
  for (const { key, kind, options } of await leadFieldsOf(db, agentId)) {
    const value = data[key];
    if (kind !== 'select' || value === undefined || value === null) continue;
    if (!options.some((option) => option === value)) {
      throw invalid(`data.${key}`, 'invalid_option', `One of: ${options.join(', ')}.`);
    }
  }
};
