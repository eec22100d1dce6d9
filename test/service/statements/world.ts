/**
 * Rows that no operation of the service can create, and without which some statements cannot be checked: other workspaces,
 * a month that is nearly used up, a key whose maker left in another way than by removal, and faults of the service.
 */
import { sql } from 'drizzle-orm';
import type { Plan } from '../../../service/core/plans.ts';
import { actionCalls, identitySecrets, monthlyUsage, webhookEndpoints } from '../../../service/db/schema.ts';
import { workspace } from '../../../service/seed/business.ts';
import type { Db } from '../../../service/service.ts';
import { addAgent, addKey, addMember, addWorkspace, type AddedWorkspace } from '../../support/servers/workspaces.ts';

export interface MemberWithKey {
  memberId: string;
  key: string;
}

export interface World {
  /** A workspace without any relation to the one of the checks. */
  other: AddedWorkspace;
  /** A workspace on the team plan, one conversation below 80 % of its month. */
  nearThreshold: AddedWorkspace;
  /** A workspace on the team plan with one conversation left in its month. */
  nearlyFull: AddedWorkspace;
  /** The key of a member whose membership ended, but was not revoked. */
  orphanedKey: string;
  /** A member with the role editor, and one who leaves the workspace, each with a key that the member made. */
  editor: MemberWithKey;
  leaver: MemberWithKey;
  /** A member whom the owner removes. */
  removed: MemberWithKey;
  /** An agent whose identity secret cannot be decrypted. */
  unreadableAgentId: string;
  /** An agent into which another question import runs. */
  importingAgentId: string;
  /** The webhook endpoint of a bot plugin. */
  pluginEndpointId: string;
  /** A trial call of the demo's action `act_book_class` by the owner. */
  previewCallId: string;
  /** The database rejects a chunk with this title, so an import of this question fails. */
  failingQuestion: string;
  /** The database rejects a contact with this name. */
  failingName: string;
  /** The database gives a webhook endpoint with this description the URL of a private host. */
  refusedHost: string;
}

const failingQuestion = 'Where do basilisks nest?';
const failingName = 'Bobby Unstorable';
const refusedHost = 'Moves to a private host';

/** @param at The time at which the checks start. */
export const createWorld = async (db: Db, at: Date): Promise<World> => {
  const month = `${at.toISOString().slice(0, 7)}-01`;
  const addUsed = async (name: string, plan: Plan, conversations: number): Promise<AddedWorkspace> => {
    const added = await addWorkspace(db, { name, plan, at });
    const counted = { workspaceId: `wsp_${name}`, month, agentId: added.agentId };
    await db.insert(monthlyUsage).values({ ...counted, conversations, messages: 0 });
    return added;
  };
  const addMemberWithKey = async (endedAt: Date | null): Promise<MemberWithKey> => {
    const memberId = await addMember(db, workspace.id, 'editor', at, endedAt);
    return { memberId, key: await addKey(db, workspace.id, memberId, at) };
  };
  const unreadableAgentId = await addAgent(db, 'agt_unreadable', workspace.id, at);
  await db.insert(identitySecrets).values({ agentId: unreadableAgentId, encrypted: 'unreadable' });
  const importingUntil = new Date(at.getTime() + 365 * 86_400_000);
  return {
    other: await addUsed('other', 'business', 0),
    nearThreshold: await addUsed('near_threshold', 'team', 1599),
    nearlyFull: await addUsed('nearly_full', 'team', 1999),
    orphanedKey: (await addMemberWithKey(at)).key,
    editor: await addMemberWithKey(null),
    leaver: await addMemberWithKey(null),
    removed: await addMemberWithKey(null),
    unreadableAgentId,
    importingAgentId: await addAgent(db, 'agt_importing', workspace.id, at, { importingUntil }),
    ...(await addDemoRows(db, at)),
    ...(await addFaults(db)),
  };
};

const addDemoRows = async (db: Db, at: Date): Promise<Pick<World, 'pluginEndpointId' | 'previewCallId'>> => {
  const [pluginEndpointId, previewCallId] = ['whk_plugin', 'acl_preview'];
  const endpoint = { id: pluginEndpointId, workspaceId: workspace.id, url: 'https://plugin.example/', createdAt: at };
  await db.insert(webhookEndpoints).values({ ...endpoint, events: [], plugin: 'bot', encryptedSecret: 'x' });
  const call = { id: previewCallId, actionId: 'act_book_class', outcome: 'failed', preview: true, at } as const;
  await db.insert(actionCalls).values(call);
  return { pluginEndpointId, previewCallId };
};

/** Faults of the service's own database, to see how the service reports its own errors. */
const addFaults = async (db: Db): Promise<Pick<World, 'failingQuestion' | 'failingName' | 'refusedHost'>> => {
  await db.execute(sql.raw(`alter table chunks add constraint failing_chunk check (title <> '${failingQuestion}')`));
  await db.execute(sql.raw(`alter table contacts add constraint failing_contact check (name <> '${failingName}')`));
  await db.execute(
    sql.raw(`create function move_endpoint() returns trigger language plpgsql as
      $$ begin new.url := 'https://10.0.0.1/'; return new; end $$`),
  );
  await db.execute(
    sql.raw(`create trigger move_endpoint before insert on webhook_endpoints for each row
      when (new.description = '${refusedHost}') execute function move_endpoint()`),
  );
  return { failingQuestion, failingName, refusedHost };
};
