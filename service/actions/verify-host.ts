/** Whether a host is the owner's: it shows the agent's public key at a place only its owner can write to. */
import { eq } from 'drizzle-orm';
import { agents, verifiedHosts } from '../db/schema.ts';
import type { Dependencies } from '../http/environment.ts';
import { ask, EgressError } from '../egress/request.ts';
import { hostOf, type StoredAction } from '../resources/action.ts';

const place = '/.well-known/workspace-assistant.txt';

export const verifyHost = async ({ db, now, allowLoopback }: Dependencies, action: StoredAction): Promise<boolean> => {
  const host = hostOf(action.urlTemplate);
  const [agent] = await db.select().from(agents).where(eq(agents.id, action.agentId));
  if (host === '' || !agent) return false;
  const shown = await ask(`${new URL(action.urlTemplate).origin}${place}`, {
    method: 'GET',
    timeoutMs: 8000,
    maxBytes: 4096,
    allowLoopback,
  }).catch((error: unknown) => {
    if (error instanceof EgressError) return undefined;
    throw error;
  });
  if (shown?.status !== 200 || shown.text.trim() !== agent.publicKey) return false;
  await db
    .insert(verifiedHosts)
    .values({ agentId: agent.id, host, verifiedAt: new Date(now()) })
    .onConflictDoNothing();
  return true;
};
