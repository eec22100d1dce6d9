/** Statements of the contract about the keys that each operation accepts. */
import assert from 'node:assert/strict';
import type { Scope } from '../../../service/core/scopes.ts';
import { operations } from '../operations.ts';
import type { StatementContext } from './context.ts';
import { newContact } from './contacts.ts';
import { captureLead } from './leads.ts';
import { addIndexedText } from './sources.ts';
import { assertError, inSection, once, type Statement } from './statement.ts';
import { openTicket } from './tickets.ts';
import { valuesOf } from '../../support/values-of.ts';

/** The scope that an operation needs. `GET /me` accepts any key. */
const scopeOf = (operation: string): Scope | undefined => {
  const [method, path = ''] = operation.split(' ');
  const access = method === 'GET' ? 'read' : 'write';
  if (path === '/me') return undefined;
  if (path.includes('/chat')) return 'chat';
  if (path.includes('/conversations') || path.endsWith('/calls')) return 'conversations:read';
  if (path.includes('/lead') || path.endsWith('/submissions')) return `leads:${access}`;
  if (path.includes('/sources')) return method === 'GET' ? 'agents:read' : 'sources:write';
  if (path === '/usage') return 'usage:read';
  for (const resource of ['contacts', 'tickets', 'webhooks'] as const) {
    if (path.startsWith(`/${resource}`)) return `${resource}:${access}`;
  }
  return `agents:${access}`;
};

/** A valid body of an operation that needs one. */
const bodies: Record<string, object> = {
  'PATCH /agents/{agent_id}': { name: 'Scoped' },
  'POST /agents/{agent_id}/sources': { type: 'text', name: 'x', text: 'x' },
  'PATCH /agents/{agent_id}/sources/{source_id}': { text: 'x' },
  'POST /agents/{agent_id}/sources/questions': { name: 'x', items: [{ question: 'Where?', answer: 'Here.' }] },
  'POST /agents/{agent_id}/chat': { messages: [{ role: 'user', content: 'Hello' }] },
  'POST /agents/{agent_id}/chat/tool-results': { conversation_id: 'x', call_id: 'x', ok: true },
  'POST /contacts': { external_id: 'scoped' },
  'PATCH /contacts/{contact_id}': { name: 'Scoped' },
  'PATCH /leads/{lead_id}': { notes: 'Scoped' },
  'PATCH /tickets/{ticket_id}': { priority: 'low' },
  'POST /agents/{agent_id}/actions': {},
  'PATCH /agents/{agent_id}/actions/{action_id}': { description_en: 'Scoped' },
  'POST /webhooks': { url: 'http://93.184.216.34/', events: ['lead.created'] },
};

const send = (context: StatementContext, operation: string, key: string | null, ids: Record<string, string>) => {
  const [method = '', path = ''] = operation.split(' ');
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'unknown');
  const body = bodies[operation];
  return context.call(method, filled, { key, ...(body === undefined ? {} : { body }) });
};

/** One resource of each kind, by the names of the path parameters. */
const resources = once(async (context): Promise<Record<string, string>> => {
  const agent_id = await context.someAgent();
  const { conversation, ticket } = await openTicket(context);
  const action = await context.call('POST', `/agents/${agent_id}/actions`, { body: { name: 'guarded' } });
  const webhook = await context.call('POST', '/webhooks', {
    body: { url: 'https://93.184.216.34/', events: ['voice.session.ended'] },
  });
  return {
    agent_id,
    conversation_id: conversation,
    ticket_id: ticket.id,
    lead_id: (await captureLead(context)).id,
    contact_id: (await newContact(context)).id,
    source_id: (await addIndexedText(context, agent_id, 'Guarded', 'Guarded.')).id,
    action_id: action.body.id,
    webhook_id: webhook.body.id,
  };
});

const scopes = inSection('Scopes');
const authentication = inSection('Authentication');
const isChat = (operation: string) => operation.includes('/chat');

const required: Statement[] = operations
  .filter((operation) => scopeOf(operation) !== undefined)
  .map((operation) =>
    scopes(`${operation} needs the scope ${scopeOf(operation)}, and no other one.`, async (context) => {
      const scope = scopeOf(operation)!;
      const without = await send(context, operation, await context.makeKey({ scopes: [] }), {});
      assertError(without, 403, 'insufficient_scope');
      assert.equal(without.error.required_scope, operation === 'GET /webhooks' ? 'webhooks:read' : scope);
      const granted = operation === 'POST /webhooks' ? [scope, 'leads:read' as const] : [scope];
      const { status } = await send(context, operation, await context.makeKey({ scopes: granted }), {});
      assert.ok(![401, 403].includes(status), `${operation}: ${status}`);
    }),
  );

const publishable: Statement[] = operations.map((operation) =>
  authentication(
    isChat(operation)
      ? `A publishable key reaches ${operation}.`
      : `A publishable key gets 403 secret_key_required from ${operation}.`,
    async (context) => {
      const key = await context.makeKey({ kind: 'publishable', scopes: ['chat', scopeOf(operation) ?? 'agents:read'] });
      const response = await send(context, operation, key, { agent_id: context.agentId });
      if (isChat(operation)) assert.ok(![401, 403].includes(response.status), String(response.status));
      else assertError(response, 403, 'secret_key_required');
    },
  ),
);

const general = inSection('General rules');
const isolation: Statement[] = operations
  .filter((operation) => operation.includes('{'))
  .map((operation) =>
    general(`${operation} returns 404 not_found for an id of another workspace.`, async (context) => {
      const ids = await resources(context);
      const { key, agentId: ownAgent } = context.world.other;
      const own =
        operation.match(/\{/g)!.length > 1
          ? await send(context, operation, key, { ...ids, agent_id: ownAgent })
          : undefined;
      if (own) assertError(own, 404, 'not_found');
      assertError(await send(context, operation, key, ids), 404, 'not_found');
    }),
  );

/** The last statements of the other workspace: nothing of it was changed or deleted by its calls. */
const untouched: Statement[] = [
  general('The resources of a workspace are unchanged after the calls of another one.', async (context) => {
    const ids = await resources(context);
    for (const operation of operations.filter((each) => each.startsWith('GET') && each.endsWith('}'))) {
      const { status } = await send(context, operation, await context.spareKey(), ids);
      assert.equal(status, 200, operation);
    }
    const removed = await context.call('DELETE', `/webhooks/${ids['webhook_id']}`);
    assert.equal(removed.status, 204);
  }),
  general('The lists of a workspace have nothing of another workspace.', async (context) => {
    const { key } = context.world.other;
    for (const path of ['/contacts', '/leads', '/tickets', '/webhooks']) {
      assert.deepEqual((await context.get(path, { key })).data, [], path);
    }
    const { data } = await context.get('/agents', { key });
    assert.deepEqual(valuesOf(data, 'id'), [context.world.other.agentId]);
  }),
];

const everywhere: Statement[] = [
  authentication('Every operation without a key returns 401 missing_key.', async (context) => {
    for (const operation of operations) assertError(await send(context, operation, null, {}), 401, 'missing_key');
  }),
];

export const scopeStatements: Statement[] = [...required, ...publishable, ...isolation, ...untouched, ...everywhere];
