/** A webhook endpoint that is subscribed to everything, while each event happens once. */
import { subscribableEvents } from '../../../service/core/event-types.ts';
import { newContact } from './contacts.ts';
import type { StatementContext } from './context.ts';
import { captureLead } from './leads.ts';
import { addIndexedText } from './sources.ts';
import { once } from './statement.ts';
import { openTicket } from './tickets.ts';
import type { Delivery, WebhookEndpoint } from './webhook-endpoint.ts';

/** Causes each event, and returns the ids of the resources. */
const cause = async (context: StatementContext) => {
  const lead = await captureLead(context);
  await context.call('PATCH', `/leads/${lead.id}`, { body: { status: 'qualified', notes: 'Called' } });
  const { ticket, conversation } = await openTicket(context);
  await context.team('POST', `/conversations/${conversation}/reply`, { text: 'A person.' });
  await context.call('PATCH', `/tickets/${ticket.id}`, { body: { status: 'closed' } });
  await context.team('POST', `/conversations/${conversation}/close`, {});
  const contact = await newContact(context);
  const agent = await context.makeAgent();
  const { secret } = await context.team('POST', `/agents/${agent}/identity-secret`, {});
  const sub = context.unique('event-');
  await context.chat('Hello', { to: agent, contact: { token: await context.identityToken(secret, { sub }) } });
  const source = await addIndexedText(context, agent, 'Event', 'Event.');
  const broken = context.server.route('/event.csv', (response) => response.writeHead(404).end());
  const sheet = { type: 'sheet', name: 'Broken', url: broken.url };
  const failed = (await context.call('POST', `/agents/${agent}/sources`, { body: sheet })).body;
  await context.team('POST', '/campaigns', { name: 'Spring', recipients: 40 });
  const call = { conversation_id: conversation, duration_seconds: 61 };
  await context.team('POST', `/agents/${context.agentId}/voice-sessions`, call);
  return { lead, ticket, conversation, contact, agent, sub, source, failed };
};

type Caused = Awaited<ReturnType<typeof cause>>;

/** Waits for one delivery of each event. */
const receive = async (endpoint: WebhookEndpoint, caused: Caused): Promise<Record<string, Delivery>> => {
  const { lead, ticket, conversation, contact, source, failed } = caused;
  const ofId = (wanted: string) => (data: any) => data.id === wanted;
  const inConversation = (wanted: string) => (data: any) => data.conversation_id === wanted;
  const conditions: Record<string, (data: any) => boolean> = {
    'lead.created': ofId(lead.id),
    'lead.updated': ofId(lead.id),
    'lead.status_changed': ofId(lead.id),
    'conversation.started': ofId(conversation),
    'conversation.handoff_requested': ofId(conversation),
    'conversation.closed': ofId(conversation),
    'message.created': inConversation(conversation),
    'ticket.created': ofId(ticket.id),
    'ticket.updated': ofId(ticket.id),
    'ticket.closed': ofId(ticket.id),
    'form.submitted': inConversation(lead.conversation_id),
    'contact.created': ofId(contact.id),
    'source.synced': ofId(source.id),
    'source.failed': ofId(failed.id),
    'action.called': inConversation(lead.conversation_id),
    'campaign.sent': () => true,
    'voice.session.ended': inConversation(conversation),
    'webhook.test': () => true,
  };
  const events: Record<string, Delivery> = {};
  for (const [type, isWanted] of Object.entries(conditions)) events[type] = await endpoint.next(type, isWanted);
  return events;
};

const readResources = async (
  context: StatementContext,
  { lead, ticket, conversation, contact, agent, source }: Caused,
) => ({
  lead: await context.get(`/leads/${lead.id}`),
  ticket: await context.get(`/tickets/${ticket.id}`),
  conversation: await context.get(`/conversations/${conversation}`),
  contact: await context.get(`/contacts/${contact.id}`),
  source: await context.get(`/agents/${agent}/sources/${source.id}`),
  messages: (await context.get(`/conversations/${conversation}/messages`)).data,
  workspace: (await context.get('/me')).workspace.id,
});

export const recordedEvents = once(async (context) => {
  const endpoint = await context.webhook([...subscribableEvents]);
  const caused = await cause(context);
  await context.team('POST', `/webhooks/${endpoint.id}/test`, {});
  const events = await receive(endpoint, caused);
  const { conversation, sub, lead, agent } = caused;
  const identified = await endpoint.next('contact.created', (data) => data.external_id === sub);
  const reads = await readResources(context, caused);
  const messages = await context.until(() => {
    const found = endpoint.ofType('message.created').filter(({ event }) => event.data.conversation_id === conversation);
    return found.length >= reads.messages.length && found;
  });
  const valid = Object.values(events).every((delivery) => endpoint.isSigned(delivery));
  const now = await context.now();
  await endpoint.remove();
  return { events, identified, messages, reads, lead, agent, valid, now, deliveries: endpoint.deliveries };
});
