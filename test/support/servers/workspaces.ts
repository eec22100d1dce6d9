/** Adds workspaces with their agents, members and keys to the database, because no operation of the service creates a workspace. */
import { newId, newKey, sha256 } from '../../../service/core/ids.ts';
import type { Plan } from '../../../service/core/plans.ts';
import { scopes } from '../../../service/core/scopes.ts';
import { agents, apiKeys, members, workspaces } from '../../../service/db/schema.ts';
import type { Db } from '../../../service/service.ts';

export interface AddedWorkspace {
  /** A secret key of the owner, with every scope. */
  key: string;
  agentId: string;
}

export const addAgent = async (db: Db, id: string, workspaceId: string, at: Date, more: object = {}) => {
  const agent = { language: 'bilingual', status: 'live', timeZone: 'Asia/Muscat' } as const;
  const row = { ...agent, id, workspaceId, name: id, publicKey: `pk_${id}`, createdAt: at, updatedAt: at, ...more };
  await db.insert(agents).values(row);
  return id;
};

/** Returns a secret key with every scope. */
export const addKey = async (db: Db, workspaceId: string, makerId: string, at: Date): Promise<string> => {
  const key = newKey('secret');
  const row = { id: newId('key'), workspaceId, makerId, label: 'added', keyHash: sha256(key), createdAt: at };
  await db.insert(apiKeys).values({ ...row, kind: 'secret', scopes: [...scopes] });
  return key;
};

/** Returns the id of a new member. */
export const addMember = async (
  db: Db,
  workspaceId: string,
  role: 'owner' | 'editor',
  at: Date,
  endedAt: Date | null = null,
): Promise<string> => {
  const id = newId('mem');
  const row = { id, workspaceId, name: id, email: `${id}@w.example`, role, createdAt: at, endedAt };
  await db.insert(members).values(row);
  return id;
};

/** Adds a workspace with an owner and an agent. Its name is random by default. */
export const addWorkspace = async (
  db: Db,
  {
    name = newId('wsp').slice('wsp_'.length),
    plan = 'business',
    at = new Date(),
  }: { name?: string; plan?: Plan; at?: Date } = {},
): Promise<AddedWorkspace> => {
  const workspaceId = `wsp_${name}`;
  await db.insert(workspaces).values({ id: workspaceId, name, plan, createdAt: at });
  const key = await addKey(db, workspaceId, await addMember(db, workspaceId, 'owner', at), at);
  return { key, agentId: await addAgent(db, `agt_${name}`, workspaceId, at) };
};
