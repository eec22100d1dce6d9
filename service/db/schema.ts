/** All tables. Ids are prefixed strings, times are UTC with milliseconds, secrets are hashed (SHA-256) or encrypted. */
export * from './tables/workspace.ts';
export * from './tables/contacts.ts';
export * from './tables/knowledge.ts';
export * from './tables/conversations.ts';
export * from './tables/gathered.ts';
export * from './tables/events.ts';
export * from './tables/tickets.ts';
export * from './tables/calls.ts';
export * from './tables/processes.ts';
export * from './tables/development.ts';
