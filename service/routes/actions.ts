/** An agent's actions and their calls. */
import { z } from '@hono/zod-openapi';
import { and, count, desc, eq, inArray } from 'drizzle-orm';
import { clientToolNamePattern, maxClientToolNameLength } from '../../contract/limits.ts';
import { isVerified } from '../actions/calls.ts';
import { findAgent, type Agent } from '../chat/conversations.ts';
import { actionCalls, actions, agents } from '../db/schema.ts';
import type { Db } from '../db/open.ts';
import type { App } from '../app.ts';
import type { ApiKey, Dependencies } from '../http/environment.ts';
import { ApiError, invalid } from '../core/errors.ts';
import { once, type Hold } from '../http/idempotency.ts';
import { newId } from '../core/ids.ts';
import { conflict, created, json, jsonBody, noContent, operation, planLimit } from '../http/operation.ts';
import { newestFirst, page, pageOf, pageQuery } from '../http/pages.ts';
import { basePath } from '../core/version.ts';
import { indexAction } from '../knowledge/indexing.ts';
import { requirePublicUrl } from '../egress/check-url.ts';
import { plans, type Plan } from '../core/plans.ts';
import {
  actionOut,
  callOut,
  dataAccess,
  hostOf,
  kind,
  method,
  serialiseAction,
  serialiseCall,
  type ActionOut,
  type StoredAction,
} from '../resources/action.ts';

const object = z.record(z.string(), z.unknown());

const actionBody = z
  .object({
    name: z.string().regex(clientToolNamePattern).max(maxClientToolNameLength).optional(),
    kind: kind.optional(),
    description_en: z.string().max(1000).optional(),
    description_ar: z.string().max(1000).optional(),
    method: method.optional(),
    url_template: z.string().max(2000).optional(),
    headers: z
      .record(
        z.string().regex(/^[A-Za-z0-9-]{1,100}$/),
        z
          .string()
          .max(4000)
          .regex(/^[\t\x20-\x7e]*$/),
      )
      .refine((headers) => Object.keys(headers).length <= 20, { message: 'At most 20 headers.' })
      .optional(),
    input_schema: object.optional(),
    output_pick: z.array(z.string().max(200)).max(50).optional(),
    data_access: dataAccess.optional(),
    requires_approval: z.boolean().optional(),
    enabled: z.boolean().optional(),
    config: object.optional(),
  })
  .openapi('ActionIn');

type ActionBody = z.infer<typeof actionBody>;

const agentPath = z.object({ agent_id: z.string() });
const actionPath = agentPath.extend({ action_id: z.string() });

export const actionRoutes = (app: App, dependencies: Dependencies): void => {
  const { db } = dependencies;

  const find = async (key: ApiKey, agentId: string, id: string): Promise<StoredAction> => {
    const agent = await findAgent(db, key, agentId);
    const [action] = await db
      .select()
      .from(actions)
      .where(and(eq(actions.id, id), eq(actions.agentId, agent.id)));
    if (!action) throw new ApiError('not_found');
    return action;
  };

  const show = async (action: StoredAction, tx: Db = db) => serialiseAction(action, await isVerified(tx, action));

  const list = operation(
    dependencies,
    'get',
    '/agents/{agent_id}/actions',
    { needs: 'agents:read' },
    {
      operationId: 'listActions',
      summary: 'All actions of an agent, newest first.',
      request: { params: agentPath },
      responses: { 200: json(pageOf(actionOut), 'The actions.') },
    },
  );
  app.openapi(list, async (context) => {
    const agent = await findAgent(db, context.var.key, context.req.valid('param').agent_id);
    const found = await db
      .select()
      .from(actions)
      .where(eq(actions.agentId, agent.id))
      .orderBy(desc(actions.createdAt), desc(actions.id));
    return context.json({ data: await Promise.all(found.map((action) => show(action))), next_cursor: null }, 200);
  });

  const create = operation(
    dependencies,
    'post',
    '/agents/{agent_id}/actions',
    { needs: 'agents:write' },
    {
      operationId: 'createAction',
      summary: 'Make an action; it is switched off unless told otherwise.',
      request: { params: agentPath, ...jsonBody(actionBody) },
      responses: { 201: created(actionOut, 'The action.'), 402: planLimit, 409: conflict },
    },
  );
  app.openapi(create, async (context) => {
    const key = context.var.key;
    const agent = await findAgent(db, key, context.req.valid('param').agent_id);
    const sent = context.req.valid('json');
    const answer = await once<ActionOut>(dependencies, context, async ({ keep }) => {
      await requireValidTemplate(sent);
      return store(agent, key.plan, sent, keep);
    });
    context.header('Location', `${basePath}/agents/${agent.id}/actions/${answer.id}`);
    return context.json(answer, 201);
  });

  const store = async (
    agent: Agent,
    plan: Plan,
    sent: ActionBody,
    keep: Hold<ActionOut>['keep'],
  ): Promise<ActionOut> => {
    const at = new Date(dependencies.now());
    const id = newId('act');
    return db.transaction(async (tx) => {
      // Held until the end, so that two calls at once cannot both be the last the plan allows.
      await tx.select({ id: agents.id }).from(agents).where(eq(agents.id, agent.id)).for('update');
      const [had] = await tx.select({ actions: count() }).from(actions).where(eq(actions.agentId, agent.id));
      if (had!.actions >= plans[plan].actions) throw actionLimitError(plan);
      const name = sent.name ?? `action_${id.slice(-6).replace(/\W/g, '0').toLowerCase()}`;
      const values = { ...columns(sent), agentId: agent.id, name, kind: sent.kind ?? 'http' };
      await refuse(tx, plan, id, { ...blank, ...values });
      const [made] = await tx
        .insert(actions)
        .values({ ...values, id, createdAt: at, updatedAt: at })
        .returning();
      await indexAction(tx, made!);
      return keep(tx, await show(made!, tx));
    });
  };

  const change = operation(
    dependencies,
    'patch',
    '/agents/{agent_id}/actions/{action_id}',
    { needs: 'agents:write' },
    {
      operationId: 'changeAction',
      summary: 'Change what is sent; headers are replaced, and an empty object removes them.',
      request: { params: actionPath, ...jsonBody(actionBody) },
      responses: { 200: json(actionOut, 'The action as it is now.'), 402: planLimit, 409: conflict },
    },
  );
  app.openapi(change, async (context) => {
    const { agent_id, action_id } = context.req.valid('param');
    const key = context.var.key;
    const { id } = await find(key, agent_id, action_id);
    const sent = context.req.valid('json');
    await requireValidTemplate(sent);
    const changed = await db.transaction(async (tx) => {
      const [action] = await tx.select().from(actions).where(eq(actions.id, id)).for('update');
      if (!action) throw new ApiError('not_found');
      const moved = sent.url_template !== undefined && hostOf(sent.url_template) !== hostOf(action.urlTemplate);
      // To a host that is not verified it switches itself off, unless it is asked to be on.
      const off = moved && sent.enabled === undefined && !(await isVerified(tx, { ...action, ...columns(sent) }));
      const values = { ...columns(sent), ...(off ? { enabled: false } : {}) };
      await refuse(tx, key.plan, id, { ...action, ...values });
      const [after] = await tx
        .update(actions)
        .set({ ...values, updatedAt: new Date(dependencies.now()) })
        .where(eq(actions.id, id))
        .returning();
      return after!;
    });
    await indexAction(db, changed);
    return context.json(await show(changed), 200);
  });

  const columns = (sent: ActionBody) => {
    const { description_en, description_ar, url_template, headers, input_schema } = sent;
    const { output_pick, data_access, requires_approval, ...same } = sent;
    const has = <Name extends string, Value>(name: Name, value: Value | undefined) =>
      (value === undefined ? {} : { [name]: value }) as { [At in Name]?: Value };
    return {
      ...has('name', same.name),
      ...has('kind', same.kind),
      ...has('method', same.method),
      ...has('enabled', same.enabled),
      ...has('config', same.config),
      ...has('descriptionEn', description_en),
      ...has('descriptionAr', description_ar),
      ...has('urlTemplate', url_template),
      ...has('inputSchema', input_schema),
      ...has('outputPick', output_pick),
      ...has('dataAccess', data_access),
      ...has('requiresApproval', requires_approval),
      ...(headers === undefined
        ? {}
        : {
            headerNames: Object.keys(headers),
            encryptedHeaders:
              Object.keys(headers).length === 0 ? null : dependencies.encryption.encrypt(JSON.stringify(headers)),
          }),
    };
  };

  const requireValidTemplate = async ({ url_template: template = '' }: ActionBody): Promise<void> => {
    if (template === '') return;
    if (/^[^/]*\/\/[^/?#]*[{}]/.test(template))
      throw invalid('url_template', 'invalid_url', 'The host cannot be an input.');
    await requirePublicUrl(template, dependencies.allowLoopback, 'url_template');
  };

  const remove = operation(
    dependencies,
    'delete',
    '/agents/{agent_id}/actions/{action_id}',
    { needs: 'agents:write' },
    {
      operationId: 'deleteAction',
      summary: 'Delete an action, and what its forms gathered.',
      request: { params: actionPath },
      responses: { 204: noContent },
    },
  );
  app.openapi(remove, async (context) => {
    const { agent_id, action_id } = context.req.valid('param');
    const { id } = await find(context.var.key, agent_id, action_id);
    await db.delete(actions).where(eq(actions.id, id));
    return context.body(null, 204);
  });

  const calls = operation(
    dependencies,
    'get',
    '/agents/{agent_id}/actions/{action_id}/calls',
    { needs: 'conversations:read' },
    {
      operationId: 'listCalls',
      summary: 'The calls of an action, newest first.',
      request: {
        params: actionPath,
        query: pageQuery.extend({ failures_only: z.enum(['true', 'false']).optional() }),
      },
      responses: { 200: json(pageOf(callOut), 'A page of calls.') },
    },
  );
  app.openapi(calls, async (context) => {
    const { agent_id, action_id } = context.req.valid('param');
    const { id } = await find(context.var.key, agent_id, action_id);
    const { limit, cursor, failures_only } = context.req.valid('query');
    const { after, order } = newestFirst(actionCalls.at, actionCalls.id, cursor);
    const found = await db
      .select()
      .from(actionCalls)
      .where(
        and(
          eq(actionCalls.actionId, id),
          eq(actionCalls.preview, false),
          failures_only === 'true' ? inArray(actionCalls.outcome, ['failed', 'refused', 'expired']) : undefined,
          after,
        ),
      )
      .orderBy(...order)
      .limit(limit + 1);
    return context.json(
      page(found, limit, serialiseCall, (call) => [call.at.toISOString(), call.id]),
      200,
    );
  });
};

const blank = { urlTemplate: '', requiresApproval: false, enabled: false };

type Wanted = Pick<StoredAction, 'agentId' | 'name' | 'kind' | 'urlTemplate' | 'requiresApproval' | 'enabled'>;

const refuse = async (tx: Db, plan: Plan, id: string, wanted: Wanted): Promise<void> => {
  if (wanted.requiresApproval && !plans[plan].helpdesk) {
    throw new ApiError('action_plan_required', { required_plan: 'business' });
  }
  const named = await tx
    .select({ id: actions.id })
    .from(actions)
    .where(and(eq(actions.agentId, wanted.agentId), eq(actions.name, wanted.name)));
  if (named.some((other) => other.id !== id)) throw new ApiError('name_taken');
  if (wanted.kind === 'http' && wanted.enabled && !(await isVerified(tx, wanted))) {
    throw new ApiError('conflict', { details: 'host_unverified' });
  }
};

/** On the plan that holds the most, removing one is the only way out. */
const actionLimitError = (plan: Plan): ApiError => {
  const larger = (Object.keys(plans) as Plan[]).find((each) => plans[each].actions > plans[plan].actions);
  return new ApiError('action_plan_required', larger === undefined ? {} : { required_plan: larger });
};
