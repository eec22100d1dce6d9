/** Validates and stores an action. */
import { z } from '@hono/zod-openapi';
import { and, eq } from 'drizzle-orm';
import { clientToolNamePattern, maxClientToolNameLength } from '../../contract/limits.ts';
import { isVerified } from '../actions/calls.ts';
import type { Agent, StoredAction } from '../db/records.ts';
import type { Db } from '../db/database.ts';
import type { Dependencies } from '../http/dependencies.ts';
import type { SaveResponse } from '../db/repeatable-call.ts';
import { requireRow } from '../db/require-row.ts';
import { lockAgent } from '../db/row-locks.ts';
import { actions } from '../db/schema.ts';
import { ApiError, invalid } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { indexAction } from '../knowledge/indexing.ts';
import { requirePublicUrl } from '../egress/check-url.ts';
import { plans, type Plan } from '../core/plans.ts';
import { inputSchema, readConfig } from '../resources/action-config.ts';
import { dataAccess, hostOf, kind, method, serializeAction, type ActionOut } from '../resources/action.ts';
import { boundedText } from '../core/bounded-text.ts';

const object = z.record(z.string(), z.unknown());

export const actionBody = z
  .object({
    name: boundedText(maxClientToolNameLength).regex(clientToolNamePattern).optional(),
    kind: kind.optional(),
    description_en: boundedText(1000).optional(),
    description_ar: boundedText(1000).optional(),
    method: method.optional(),
    url_template: boundedText(2000).optional(),
    headers: z
      .record(z.string().regex(/^[A-Za-z0-9-]{1,100}$/), boundedText(4000).regex(/^[\t\x20-\x7e]*$/))
      .refine((headers) => Object.keys(headers).length <= 20, { message: 'At most 20 headers.' })
      .optional(),
    input_schema: inputSchema.optional(),
    output_pick: z.array(boundedText(200)).max(50).optional(),
    data_access: dataAccess.optional(),
    requires_approval: z.boolean().optional(),
    enabled: z.boolean().optional(),
    config: object.optional(),
  })
  .openapi('ActionIn');

export type ActionBody = z.infer<typeof actionBody>;

/** The action as the API shows it. */
export const serializeStored = async (tx: Db, action: StoredAction) =>
  serializeAction(action, await isVerified(tx, action));

/** Creates an action, unless the plan's limit is reached. */
export const createAction = async (
  dependencies: Dependencies,
  agent: Agent,
  plan: Plan,
  sent: ActionBody,
  saveResponse: SaveResponse<ActionOut>,
): Promise<ActionOut> => {
  const { db } = dependencies;
  const at = new Date(dependencies.now());
  const id = newId('act');
  return db.transaction(async (tx) => {
    // Locks the agent in this transaction, so that two calls at once cannot both create the last action of the plan.
    await lockAgent(tx, agent.id);
    if ((await tx.$count(actions, eq(actions.agentId, agent.id))) >= plans[plan].actions) throw actionLimitError(plan);
    const name = sent.name ?? `action_${id.slice(-6).replace(/\W/g, '0').toLowerCase()}`;
    const sentColumns = columns(dependencies, sent);
    const values = { ...withConfig(sentColumns, defaults), agentId: agent.id, name, kind: sent.kind ?? defaults.kind };
    await requireAllowed(tx, plan, id, { ...defaults, ...values });
    const [created] = await tx
      .insert(actions)
      .values({ ...values, id, createdAt: at, updatedAt: at })
      .returning();
    await indexAction(tx, created!);
    return saveResponse(tx, await serializeStored(tx, created!));
  });
};

/** Changes the fields that are sent. */
export const updateAction = async (
  dependencies: Dependencies,
  plan: Plan,
  { id, agentId }: Pick<StoredAction, 'id' | 'agentId'>,
  sent: ActionBody,
): Promise<StoredAction> => {
  const { db } = dependencies;
  return db.transaction(async (tx) => {
    // Two actions at once cannot get the same name.
    await lockAgent(tx, agentId);
    const action = await requireRow(tx.select().from(actions).where(eq(actions.id, id)).for('update'));
    const changes = withConfig(columns(dependencies, sent), action);
    const hasNewHost = sent.url_template !== undefined && hostOf(sent.url_template) !== hostOf(action.urlTemplate);
    // An action whose new host is not verified is disabled, unless the request enables it.
    const isDisabled = hasNewHost && sent.enabled === undefined && !(await isVerified(tx, { ...action, ...changes }));
    const values = { ...changes, ...(isDisabled ? { enabled: false } : {}) };
    await requireAllowed(tx, plan, id, { ...action, ...values });
    const [after] = await tx
      .update(actions)
      .set({ ...values, updatedAt: new Date(dependencies.now()) })
      .where(eq(actions.id, id))
      .returning();
    await indexAction(tx, after!);
    return after!;
  });
};

const columns = (dependencies: Dependencies, sent: ActionBody) => {
  const { description_en, description_ar, url_template, headers, input_schema } = sent;
  const { output_pick, data_access, requires_approval, ...same } = sent;
  const optional = <Name extends string, Value>(name: Name, value: Value | undefined) =>
    (value === undefined ? {} : { [name]: value }) as { [At in Name]?: Value };
  return {
    ...optional('name', same.name),
    ...optional('kind', same.kind),
    ...optional('method', same.method),
    ...optional('enabled', same.enabled),
    ...optional('config', same.config),
    ...optional('descriptionEn', description_en),
    ...optional('descriptionAr', description_ar),
    ...optional('urlTemplate', url_template),
    ...optional('inputSchema', input_schema),
    ...optional('outputPick', output_pick),
    ...optional('dataAccess', data_access),
    ...optional('requiresApproval', requires_approval),
    ...(headers === undefined
      ? {}
      : {
          headerNames: Object.keys(headers),
          encryptedHeaders:
            Object.keys(headers).length === 0 ? null : dependencies.encryption.encrypt(JSON.stringify(headers)),
        }),
  };
};

/** Checks the config against the kind, either of which a request may change alone. */
const withConfig = <Columns extends Partial<Pick<StoredAction, 'kind' | 'config'>>>(
  changes: Columns,
  before: Pick<StoredAction, 'kind' | 'config'>,
): Columns => {
  if (changes.kind === undefined && changes.config === undefined) return changes;
  const { data, error } = readConfig(changes.kind ?? before.kind, changes.config ?? before.config);
  if (!error) return { ...changes, config: data };
  const details = error.issues.map(({ path, code, message }) => {
    return { field: ['config', ...path].join('.'), code, message };
  });
  throw new ApiError('validation_error', { details });
};

export const requireValidTemplate = async (
  dependencies: Dependencies,
  { url_template: template = '' }: ActionBody,
): Promise<void> => {
  if (template === '') return;
  if (/^[^/]*\/\/[^/?#]*[{}]/.test(template))
    throw invalid('url_template', 'invalid_url', 'The host cannot be an input.');
  await requirePublicUrl(template, dependencies.allowLoopback, 'url_template');
};

/** The properties of a new action that a request may leave out. */
const defaults = { kind: 'http' as const, config: {}, urlTemplate: '', requiresApproval: false, enabled: false };

type CheckedAction = Pick<StoredAction, 'agentId' | 'name' | 'kind' | 'urlTemplate' | 'requiresApproval' | 'enabled'>;

/** Throws unless the plan allows the action, its name is free, and its host is verified. */
const requireAllowed = async (tx: Db, plan: Plan, id: string, action: CheckedAction): Promise<void> => {
  if (action.requiresApproval && !plans[plan].helpdesk) {
    throw new ApiError('action_plan_required', { required_plan: 'business' });
  }
  const sameName = await tx
    .select({ id: actions.id })
    .from(actions)
    .where(and(eq(actions.agentId, action.agentId), eq(actions.name, action.name)));
  if (sameName.some((other) => other.id !== id)) throw new ApiError('name_taken');
  if (action.kind === 'http' && action.enabled && !(await isVerified(tx, action))) {
    throw new ApiError('conflict', { details: 'host_unverified' });
  }
};

/** Names a larger plan, unless the workspace has the largest one. */
const actionLimitError = (plan: Plan): ApiError => {
  const larger = (Object.keys(plans) as Plan[]).find((each) => plans[each].actions > plans[plan].actions);
  return new ApiError('action_plan_required', larger === undefined ? {} : { required_plan: larger });
};
