/** What a page about the service shows: its scopes and events, and the products of the demo workspace. Runs in a browser. */
export { eventScopes } from './core/event-types.ts';
export { scopes } from './core/scopes.ts';
export { products } from './seed/business.ts';
