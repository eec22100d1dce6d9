/** Statements of the contract about events: when each is sent, and what it carries. */
import assert from 'node:assert/strict';
import { subscribableEvents } from '../../../service/core/event-types.ts';
import { newContact } from './contacts.ts';
import { captureLead, orderForm } from './leads.ts';
import { callEvents as recorded, formEvents, identityEvent, teamEvents } from './recorded-events.ts';
import * as is from './field-types.ts';
import { about, fieldStatements, inSection, type Statement } from './statement.ts';
import { threshold } from './usage.ts';

const envelopes = fieldStatements(
  'Webhook envelope',
  async (context) => Object.values((await recorded(context)).events).map(({ event }) => event),
  [
    ['id', is.matching(/^evt_.+/), 'The id of an event begins with evt_.'],
    ['type', is.oneOf(...subscribableEvents, 'webhook.test'), 'An event has its type.'],
    ['created_at', is.time, 'An event shows when it happened.'],
    ['workspace_id', is.id, 'An event has the id of the workspace.'],
    ['data', is.record, 'The data of an event is an object.'],
  ],
);

const envelope = inSection('Webhook envelope');
const envelopeValues: Statement[] = [
  ...about(envelope, recorded, {
    'A delivery is a POST with a JSON body.': ({ deliveries }) => {
      assert.ok(deliveries.every(({ headers }) => headers['content-type'] === 'application/json'));
      assert.ok(deliveries.every(({ event }) => typeof event === 'object'));
    },
    'The workspace of an event is the one that GET /me returns.': ({ events, reads }) => {
      for (const { event } of Object.values(events)) assert.equal(event.workspace_id, reads.workspace);
    },
    'An event of an agent has the id of the agent.': ({ events, agent }, context) => {
      assert.equal(events['conversation.started']!.event.agent_id, context.agentId);
      assert.equal(events['source.synced']!.event.agent_id, agent);
    },
    'The header X-Service-Event has the type of the event.': ({ deliveries }) => {
      for (const { headers, event } of deliveries) {
        assert.equal(headers['x-service-event'], event.type);
      }
    },
    'The header X-Service-Delivery names the delivery and the number of the attempt.': ({ deliveries }) => {
      for (const { headers } of deliveries) {
        assert.match(String(headers['x-service-delivery']), /^dlv_[0-9a-f]+_1$/);
      }
    },
    'The header X-Service-Delivery is new on every delivery.': ({ deliveries }) => {
      const ids = deliveries.map(({ headers }) => headers['x-service-delivery']);
      assert.equal(new Set(ids).size, deliveries.length);
    },
    'The header X-Service-Timestamp is a Unix time in seconds, near the current time.': ({ events, now }) => {
      for (const { headers } of Object.values(events)) {
        const at = Number(headers['x-service-timestamp']);
        assert.ok(Number.isInteger(at) && Math.abs(at - now / 1000) < 300, String(at));
      }
    },
    'The header X-Service-Signature has the form t=<seconds>,v1=<hex>, with the time of the delivery.': ({
      deliveries,
    }) => {
      for (const { headers } of deliveries) {
        assert.match(String(headers['x-service-signature']), /^t=\d+,v1=[0-9a-f]{64}$/);
        assert.ok(String(headers['x-service-signature']).startsWith(`t=${String(headers['x-service-timestamp'])},`));
      }
    },
    'The signature is the HMAC-SHA256 of the time, a dot and the raw body, with the endpoint’s secret.': ({ valid }) =>
      assert.ok(valid),
    'Each event is delivered once to an endpoint that responds.': ({ deliveries }) => {
      const ids = deliveries.map(({ event }) => event.id);
      assert.equal(new Set(ids).size, ids.length);
    },
    'The time of an event is in ISO 8601.': ({ deliveries }) => {
      for (const { event } of deliveries) assert.match(event.created_at, is.isoTime);
    },
  }),
];

const types = inSection('Event types');
const sentWhen: Statement[] = [
  ...about(types, formEvents, {
    'lead.created is sent when a visitor leaves details in a form, and carries the lead.': ({ lead, events }) =>
      assert.deepEqual(events['lead.created']!.event.data, lead),
    'lead.updated is sent when a lead changes, and carries the lead.': ({ read, events }) =>
      assert.deepEqual(events['lead.updated']!.event.data, read),
    'lead.status_changed is sent when a lead moves, with previous_status.': ({ events }) => {
      const { previous_status, status } = events['lead.status_changed']!.event.data;
      assert.deepEqual([previous_status, status], ['new', 'qualified']);
    },
    'form.submitted is sent when a visitor sends a form of the assistant.': ({ events }) => {
      const { action, data } = events['form.submitted']!.event.data;
      assert.deepEqual([action.name, data.name], [orderForm, 'Mariam']);
    },
  }),
  ...about(types, teamEvents, {
    'conversation.closed is sent when a conversation ends, and carries the conversation.': ({ conversation, events }) =>
      assert.deepEqual(events['conversation.closed']!.event.data, conversation),
    'message.created is sent for every message: of the visitor, of the assistant and of the team.': ({
      messages: { stored, delivered },
    }) => {
      const actors = delivered.map(({ event }) => event.data.actor_type);
      assert.deepEqual(new Set(actors), new Set(['visitor', 'ai', 'owner']));
      assert.equal(delivered.length, stored.length);
    },
    'campaign.sent is sent when a campaign has been sent.': ({ events }) => {
      const { name, recipients } = events['campaign.sent']!.event.data;
      assert.deepEqual([name, recipients], ['Spring', 40]);
    },
    'voice.session.ended is sent when a voice conversation ends.': ({ events, conversation }) => {
      const { conversation_id, duration_seconds } = events['voice.session.ended']!.event.data;
      assert.deepEqual([conversation_id, duration_seconds], [conversation.id, 61]);
    },
  }),
  ...about(types, recorded, {
    'message.created carries the message as the API returns it.': ({ messages: { stored, delivered } }) => {
      for (const message of stored) {
        const { conversation_id: _, ...sent } = delivered.find(({ event }) => event.data.id === message.id)!.event.data;
        assert.deepEqual(sent, message);
      }
    },
    'ticket.created is sent when a conversation becomes a ticket, with the tags of the ticket.': ({
      reads,
      events,
    }) => {
      const { data } = events['ticket.created']!.event;
      assert.deepEqual([data.id, data.status, data.tags], [reads.ticket.id, 'new', reads.ticket.tags]);
    },
    'ticket.updated is sent when a ticket changes, and carries the ticket with its tags.': ({ reads, events }) => {
      const { data } = events['ticket.updated']!.event;
      assert.deepEqual(Object.keys(data).toSorted(), Object.keys(reads.ticket).toSorted());
      assert.ok(Array.isArray(data.tags));
    },
    'ticket.closed is sent when a ticket is closed, and carries the closed ticket.': ({ reads, events }) =>
      assert.deepEqual(events['ticket.closed']!.event.data, reads.ticket),
    'conversation.started is sent when a conversation starts.': ({ conversation, events }) => {
      const { data } = events['conversation.started']!.event;
      assert.deepEqual([data.id, data.state, data.channel], [conversation, 'ai_active', 'api']);
    },
    'conversation.handoff_requested is sent when the visitor asks for a person.': ({ events }) => {
      const { data } = events['conversation.handoff_requested']!.event;
      assert.equal(data.state, 'handoff_requested');
    },
    'contact.created is sent for a contact of the API, and carries the contact.': ({ reads, events }) =>
      assert.deepEqual(events['contact.created']!.event.data, reads.contact),
    'source.synced is sent when a source is indexed, and carries the source.': ({ reads, events }) =>
      assert.deepEqual(events['source.synced']!.event.data, reads.source),
    'source.failed is sent when a source cannot be read, and carries its error.': ({ events }) => {
      const { status, error } = events['source.failed']!.event.data;
      assert.ok(status === 'failed' && error.length > 0);
    },
  }),
  types('contact.created is sent for a contact whose identity a site proved.', async (context) => {
    const { data } = await identityEvent(context);
    assert.deepEqual([data.source, data.verified], ['identify', true]);
  }),
  types('action.called is sent when the assistant calls an action, and carries the call.', async (context) => {
    const { data } = (await formEvents(context)).events['action.called']!.event;
    const path = await context.action(orderForm);
    const listed = (await context.get(`${path}/calls?limit=100`)).data.find((call: any) => call.id === data.id);
    assert.deepEqual(data, listed);
  }),
  types('usage.threshold is sent when 80 % of the month is used, and carries the usage.', async (context) => {
    const { delivery } = await threshold(context);
    assert.deepEqual(Object.keys(delivery.event.data).toSorted(), Object.keys(await context.get('/usage')).toSorted());
  }),
  types(
    'webhook.test is sent by the test button to one endpoint only, signed like any other event.',
    async (context) => {
      const [tested, other] = [await context.webhook(['lead.created']), await context.webhook(['lead.created'])];
      await context.team('POST', `/webhooks/${tested.id}/test`, {});
      const delivery = await tested.next('webhook.test');
      const log = await other.log();
      await tested.remove();
      await other.remove();
      assert.ok(tested.isSigned(delivery));
      assert.deepEqual(log, []);
    },
  ),
  types('webhook.test cannot be subscribed to.', async (context) => {
    const body = { url: 'https://93.184.216.34/', events: ['webhook.test'] };
    assert.equal((await context.call('POST', '/webhooks', { body })).status, 422);
  }),
  types('A conversation on any channel sends conversation.started.', async (context) => {
    const endpoint = await context.webhook(['conversation.started']);
    await context.team('POST', `/agents/${context.agentId}/conversations`, { channel: 'email', text: 'Hello' });
    const { event } = await endpoint.next('conversation.started', ({ channel }) => channel === 'email');
    await endpoint.remove();
    assert.equal(event.data.channel, 'email');
  }),
  types('An endpoint receives only the event types that it is subscribed to.', async (context) => {
    const endpoint = await context.webhook(['contact.created']);
    await captureLead(context);
    await newContact(context);
    await endpoint.next('contact.created');
    const log = await endpoint.log();
    await endpoint.remove();
    assert.ok(log.length > 0 && log.every(({ type }) => type === 'contact.created'));
  }),
  types('An endpoint with an agent receives only events of that agent.', async (context) => {
    const agent = await context.makeAgent();
    const endpoint = await context.webhook(['conversation.started'], { agent_id: agent });
    await context.chat('Hello');
    await context.chat('Hello', { to: agent });
    await endpoint.next('conversation.started');
    const log = await endpoint.log();
    await endpoint.remove();
    assert.deepEqual([log.length, endpoint.deliveries[0]!.event.agent_id], [1, agent]);
  }),
];

export const eventStatements: Statement[] = [...envelopes, ...envelopeValues, ...sentWhen];
