/** Records who has changed what: the team, API keys, and the data of persons. */
import type { JsonObject } from '../../contract/wire.ts';
import { newId } from '../core/ids.ts';
import type { Db } from './database.ts';
import { auditEntries } from './schema.ts';

export interface Author {
  workspaceId: string;
  /** Null for a call of the API. */
  memberId: string | null;
  /** Null for a member who has signed in. */
  keyId: string | null;
}

interface Change {
  /** For example `member.role_changed`. */
  action: string;
  target: string;
  /** Without names and addresses: entries stay for a year, also after a person was erased. */
  detail?: JsonObject;
}

/** Records a change in the transaction of the change. */
export const recordChange = async (
  tx: Db,
  { workspaceId, keyId, memberId }: Author,
  { action, target, detail = {} }: Change,
  at: Date,
): Promise<void> => {
  await tx.insert(auditEntries).values({
    id: newId('aud'),
    workspaceId,
    action,
    target,
    detail,
    apiKeyId: keyId,
    memberId,
    createdAt: at,
  });
};
