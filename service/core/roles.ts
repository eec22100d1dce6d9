/** What the role of the teammate who made a key holds back from it, whatever its scopes (the contract's "maker"). */
import type { Role } from '../db/schema.ts';
import type { Scope } from './scopes.ts';

export const heldBack: Record<Role, Scope[]> = {
  owner: [],
  admin: [],
  editor: ['webhooks:read', 'webhooks:write'],
  agent: ['agents:write', 'sources:write', 'usage:read', 'webhooks:read', 'webhooks:write'],
  viewer: [
    ...(['agents:write', 'sources:write', 'chat', 'contacts:write', 'leads:write', 'tickets:write'] as const),
    ...(['webhooks:read', 'webhooks:write'] as const),
  ],
};
