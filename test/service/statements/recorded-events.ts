/** Webhook endpoints that are subscribed to everything, while each event happens once. */
import { subscribableEvents } from '../../../service/core/event-types.ts';
import { newContact } from './contacts.ts';
import type { StatementContext } from './context.ts';
import { captureLead } from './leads.ts';
import { addIndexedText } from './sources.ts';
import { once } from './statement.ts';
import { openTicket } from './tickets.ts';
import type { Delivery, WebhookEndpoint } from './webhook-endpoint.ts';

/** For each event, the condition that its data fulfill. */
type Wanted = Record<string, (data: any) => boolean>;

const ofId = (wanted: string) => (data: any) => data.id === wanted;
const inConversation = (wanted: string) => (data: any) => data.conversation_id === wanted;

/** Waits for one delivery of each event. */
const receive = async (endpoint: WebhookEndpoint, wanted: Wanted): Promise<Record<string, Delivery>> => {
  const events: Record<string, Delivery> = {};
  for (const [type, isWanted] of Object.entries(wanted)) events[type] = await endpoint.next(type, isWanted);
  return events;
};

const everything = (context: StatementContext) => context.webhook([...subscribableEvents]);

/** Waits until each message of a conversation was delivered. */
const deliveredMessages = async (context: StatementContext, endpoint: WebhookEndpoint, conversation: string) => {
  const { data: stored } = await context.get(`/conversations/${conversation}/messages`);
  const isOwn = inConversation(conversation);
  const delivered = await context.until(() => {
    const found = endpoint.ofType('message.created').filter(({ event }) => isOwn(event.data));
    return found.length >= stored.length && found;
  });
  return { stored: stored as any[], delivered };
};

/** The events of calls of the API. */
export const callEvents = once(async (context) => {
  const endpoint = await everything(context);
  const { ticket, conversation } = await openTicket(context);
  await context.call('PATCH', `/tickets/${ticket.id}`, { body: { status: 'closed' } });
  const contact = await newContact(context);
  const agent = await context.someAgent();
  const source = await addIndexedText(context, agent, 'Event', 'Event.');
  const broken = context.server.route('/event.csv', (response) => response.writeHead(404).end());
  const sheet = { type: 'sheet', name: 'Broken', url: broken.url };
  const failed = (await context.call('POST', `/agents/${agent}/sources`, { body: sheet })).body;
  const events = await receive(endpoint, {
    'conversation.started': ofId(conversation),
    'conversation.handoff_requested': ofId(conversation),
    'message.created': inConversation(conversation),
    'ticket.created': ofId(ticket.id),
    'ticket.updated': ofId(ticket.id),
    'ticket.closed': ofId(ticket.id),
    'contact.created': ofId(contact.id),
    'source.synced': ofId(source.id),
    'source.failed': ofId(failed.id),
  });
  const messages = await deliveredMessages(context, endpoint, conversation);
  const reads = {
    ticket: await context.get(`/tickets/${ticket.id}`),
    contact: await context.get(`/contacts/${contact.id}`),
    source: await context.get(`/agents/${agent}/sources/${source.id}`),
    workspace: (await context.get('/me')).workspace.id,
  };
  const valid = Object.values(events).every((delivery) => endpoint.isSigned(delivery));
  const now = await context.now();
  await endpoint.remove();
  return { events, messages, reads, conversation, agent, valid, now, deliveries: endpoint.deliveries };
});

/** The events of a form of the demo that captures a lead. */
export const formEvents = once(async (context) => {
  const endpoint = await everything(context);
  const lead = await captureLead(context);
  await context.call('PATCH', `/leads/${lead.id}`, { body: { status: 'qualified', notes: 'Called' } });
  const events = await receive(endpoint, {
    'lead.created': ofId(lead.id),
    'lead.updated': ofId(lead.id),
    'lead.status_changed': ofId(lead.id),
    'form.submitted': inConversation(lead.conversation_id),
    'action.called': inConversation(lead.conversation_id),
  });
  await endpoint.remove();
  return { events, lead, read: await context.get(`/leads/${lead.id}`) };
});

/** The event of a contact whose identity a site proved. */
export const identityEvent = once(async (context) => {
  const endpoint = await context.webhook(['contact.created']);
  const agent = await context.someAgent();
  const secret = await context.identitySecret(agent);
  const sub = context.unique('event-');
  await context.chat('Hello', { to: agent, contact: { token: await context.identityToken(secret, { sub }) } });
  const identified = await endpoint.next('contact.created', (data) => data.external_id === sub);
  await endpoint.remove();
  return identified.event;
});

/** The events of the dashboard. */
export const teamEvents = once(async (context) => {
  const endpoint = await everything(context);
  const { conversation } = await openTicket(context);
  await context.team('POST', `/conversations/${conversation}/reply`, { text: 'A person.' });
  await context.team('POST', `/conversations/${conversation}/close`, {});
  await context.team('POST', '/campaigns', { name: 'Spring', recipients: 40 });
  const call = { conversation_id: conversation, duration_seconds: 61 };
  await context.team('POST', `/agents/${context.agentId}/voice-sessions`, call);
  const events = await receive(endpoint, {
    'conversation.closed': ofId(conversation),
    'campaign.sent': () => true,
    'voice.session.ended': inConversation(conversation),
  });
  const messages = await deliveredMessages(context, endpoint, conversation);
  await endpoint.remove();
  return { events, messages, conversation: await context.get(`/conversations/${conversation}`) };
});
