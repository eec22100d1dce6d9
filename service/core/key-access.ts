/** The agents that an API key may reach (the contract's "Authentication"). */
import { ApiError } from './errors.ts';

/** The part of an API key that decides which data it reaches. */
export interface KeyAccess {
  workspaceId: string;
  kind: 'secret' | 'publishable';
  /** The agents that the key is limited to, or null for every agent of the workspace. */
  agentIds: string[] | null;
}

export const canReachAgent = (key: KeyAccess, agentId: string): boolean => {
  return key.agentIds === null || key.agentIds.includes(agentId);
};

/** @throws {ApiError} `insufficient_scope` when the key is limited to some agents. */
export const requireAllAgents = (key: KeyAccess): void => {
  if (key.agentIds !== null) throw new ApiError('insufficient_scope', { details: 'agent_allowlist' });
};
