/** Verifies that a host belongs to the owner: it serves the agent's public key at a path that only the owner controls. */
import { eq } from 'drizzle-orm';
import { agents, verifiedHosts } from '../db/schema.ts';
import type { StoredAction } from '../db/records.ts';
import { EgressError, sendRequest } from '../egress/request.ts';
import { hostOf } from '../resources/action.ts';
import type { ActionContext } from './calls.ts';

const proofPath = '/.well-known/workspace-assistant.txt';

export const verifyHost = async ({ db, now, allowLoopback }: ActionContext, action: StoredAction): Promise<boolean> => {
  const host = hostOf(action.urlTemplate);
  const [agent] = await db.select().from(agents).where(eq(agents.id, action.agentId));
  if (host === '' || !agent) return false;
  const response = await sendRequest(`${new URL(action.urlTemplate).origin}${proofPath}`, {
    method: 'GET',
    timeoutMs: 8000,
    maxBytes: 4096,
    allowLoopback,
  }).catch((error: unknown) => {
    if (error instanceof EgressError) return undefined;
    throw error;
  });
  if (response?.status !== 200 || response.text.trim() !== agent.publicKey) return false;
  await db
    .insert(verifiedHosts)
    .values({ agentId: agent.id, host, verifiedAt: new Date(now()) })
    .onConflictDoNothing();
  return true;
};
