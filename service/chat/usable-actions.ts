/** The actions of an agent that a turn may use. */
import { and, eq } from 'drizzle-orm';
import type { FormField } from '../../contract/wire.ts';
import { oncePerDatabase, type Db } from '../db/database.ts';
import type { Agent, Contact } from '../db/records.ts';
import { createRevisionCache } from '../db/revision-cache.ts';
import { actions } from '../db/schema.ts';
import type { Action } from '../replies/reply-source.ts';
import { usableConfig } from '../resources/action-config.ts';
import { leadFieldsOf, leadFormFields } from './lead-fields.ts';

/** A client tool is usable on a streamed call whose app offers it. All other actions need only be enabled and complete. */
export const usableActions = async (
  db: Db,
  agent: Pick<Agent, 'id' | 'knowledgeRevision'>,
  request: { stream?: boolean | undefined; client_tools?: string[] | undefined },
  contact: Contact | undefined,
): Promise<Action[]> => {
  const offered = new Set(request.stream ? request.client_tools : []);
  const { id, knowledgeRevision } = agent;
  const { enabled, fields } = await settings(db).get(id, knowledgeRevision, () => readSettings(db, id));
  const usable = enabled.filter((action) => action.kind !== 'client_tool' || offered.has(action.name));
  return usable.some(needsLeadFields) ? withLeadFields(usable, leadFormFields(fields, contact)) : usable;
};

/** Agents whose settings are in memory. */
const maxAgents = 500;

const settings = oncePerDatabase(() => createRevisionCache<Awaited<ReturnType<typeof readSettings>>>(maxAgents));

const readSettings = async (db: Db, agentId: string) => {
  const stored = await db
    .select()
    .from(actions)
    .where(and(eq(actions.agentId, agentId), eq(actions.enabled, true)));
  const enabled = stored.flatMap((action) => {
    const config = usableConfig(action.kind, action.config);
    return config === undefined ? [] : [{ ...action, config }];
  });
  return { enabled, fields: enabled.some(needsLeadFields) ? await leadFieldsOf(db, agentId) : [] };
};

/** A lead form without fields of its own asks for the lead fields of the agent. */
const needsLeadFields = ({ kind, config }: Pick<Action, 'kind' | 'config'>): boolean => {
  return kind === 'collect_data' && config['lead'] === true && config['fields'] === undefined;
};

/** Without lead fields, such a form is not complete. */
const withLeadFields = (usable: Action[], fields: FormField[]): Action[] => {
  return usable.flatMap((action) => {
    if (!needsLeadFields(action)) return [action];
    return fields.length === 0 ? [] : [{ ...action, config: { ...action.config, fields } }];
  });
};
