/** The roles of team members, and the scopes that each role withholds from the keys it makes (the contract's "maker"). */
import type { Scope } from './scopes.ts';

/** From the one that may do most. */
export const roles = ['owner', 'admin', 'editor', 'agent', 'viewer'] as const;
export type Role = (typeof roles)[number];

export const withheldScopes: Record<Role, Scope[]> = {
  owner: [],
  admin: [],
  editor: ['webhooks:read', 'webhooks:write'],
  agent: ['agents:write', 'sources:write', 'usage:read', 'webhooks:read', 'webhooks:write'],
  viewer: [
    ...(['agents:write', 'sources:write', 'chat', 'contacts:write', 'leads:write', 'tickets:write'] as const),
    ...(['webhooks:read', 'webhooks:write'] as const),
  ],
};
