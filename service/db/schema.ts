/** The tables. Ids are prefixed strings, times are UTC with milliseconds, secrets are kept as SHA-256 or sealed. */
export * from './tables/workspace.ts';
export * from './tables/contacts.ts';
export * from './tables/knowledge.ts';
export * from './tables/conversations.ts';
export * from './tables/gathered.ts';
export * from './tables/events.ts';
export * from './tables/tickets.ts';
export * from './tables/calls.ts';
