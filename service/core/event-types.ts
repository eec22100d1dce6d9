/** The event types of the API, each with the scope that is needed to subscribe to it (the contract's "Event types"). */
import type { Scope } from './scopes.ts';

export const eventScopes = {
  'lead.created': 'leads:read',
  'lead.updated': 'leads:read',
  'lead.status_changed': 'leads:read',
  'conversation.started': 'conversations:read',
  'conversation.handoff_requested': 'conversations:read',
  'conversation.closed': 'conversations:read',
  'message.created': 'conversations:read',
  'ticket.created': 'tickets:read',
  'ticket.updated': 'tickets:read',
  'ticket.closed': 'tickets:read',
  'form.submitted': 'leads:read',
  'contact.created': 'contacts:read',
  'source.synced': 'agents:read',
  'source.failed': 'agents:read',
  'action.called': 'agents:read',
  'usage.threshold': 'usage:read',
  'campaign.sent': 'contacts:read',
  'voice.session.ended': 'conversations:read',
} as const satisfies Record<string, Scope>;

export type SubscribableEvent = keyof typeof eventScopes;

/** `webhook.test` needs no subscription: it is sent to the endpoint that is tested. */
export type EventType = SubscribableEvent | 'webhook.test';

export const subscribableEvents = Object.keys(eventScopes) as [SubscribableEvent, ...SubscribableEvent[]];
