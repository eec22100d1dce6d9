/** The scopes of an API key (the contract's "Authentication", 3). */
export const scopes = [
  'agents:read',
  'agents:write',
  'sources:write',
  'chat',
  'contacts:read',
  'contacts:write',
  'conversations:read',
  'leads:read',
  'leads:write',
  'tickets:read',
  'tickets:write',
  'usage:read',
  'webhooks:read',
  'webhooks:write',
] as const;

export type Scope = (typeof scopes)[number];
