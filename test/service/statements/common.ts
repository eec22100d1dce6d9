/** Statements of the contract about every operation: pages, repeated calls, errors and versions. */
import assert from 'node:assert/strict';
import { apiVersion } from '../../../service/core/version.ts';
import { operations } from '../operations.ts';
import { newContact } from './contacts.ts';
import { day, minute, type CallInit, type StatementContext } from './context.ts';
import { create, verifyHost } from './actions.ts';
import { about, assertError, assertInvalid, inSection, once, type Statement } from './statement.ts';

const rules = inSection('Common rules');
const lists = operations.filter((operation) => {
  const isSingle = operation.endsWith('}') || /\/(me|usage|content)$/.test(operation);
  return operation.startsWith('GET') && !isSingle;
});
const paged = lists.filter((operation) => !/\/(actions|lead-fields)$/.test(operation));

/** A conversation and an action, with their ids in the path of a list. */
const listPath = once(async (context) => {
  const { body } = await context.chat('Hello');
  const action = await create(context, context.agentId, {});
  assert.equal(action.status, 201);
  const ids: Record<string, string> = {
    agent_id: context.agentId,
    conversation_id: body.conversation_id,
    action_id: action.body.id,
  };
  return (operation: string) => operation.split(' ')[1]!.replace(/\{(\w+)\}/g, (_, name: string) => ids[name]!);
});

const pages: Statement[] = [
  ...lists.map((operation) =>
    rules(`${operation} returns an object with data and next_cursor.`, async (context) => {
      const response = await context.get((await listPath(context))(operation));
      assert.ok(Array.isArray(response.data));
      assert.ok(response.next_cursor === null || typeof response.next_cursor === 'string');
    }),
  ),
  ...paged.map((operation) =>
    rules(`${operation} accepts a limit of 1 to 100 and a cursor, and no other ones.`, async (context) => {
      const path = (await listPath(context))(operation);
      for (const limit of [1, 100]) assert.equal((await context.call('GET', `${path}?limit=${limit}`)).status, 200);
      for (const limit of ['0', '101', '1.5', 'ten']) {
        assertInvalid(await context.call('GET', `${path}?limit=${limit}`), 'limit');
      }
      assert.equal((await context.call('GET', `${path}?cursor=made-up`)).status, 422);
    }),
  ),
  rules('A page has 20 items without a limit, and the cursor of the last page is null.', async (context) => {
    const { key } = context.world.nearThreshold;
    for (let at = 0; at < 21; at++) {
      await context.call('POST', '/contacts', { key, body: { external_id: `page-${at}` } });
    }
    const first = await context.get('/contacts', { key });
    assert.equal(first.data.length, 20);
    const last = await context.get(`/contacts?cursor=${first.next_cursor}`, { key });
    assert.deepEqual([last.data.length, last.next_cursor], [1, null]);
  }),
  rules('A cursor continues after the last item, also when newer items were added.', async (context) => {
    await newContact(context);
    await newContact(context);
    const first = await context.get('/contacts?limit=1');
    await newContact(context);
    const [expected] = (await context.get('/contacts?limit=3')).data.slice(2);
    const second = await context.get(`/contacts?limit=1&cursor=${first.next_cursor}`);
    assert.equal(second.data[0].id, expected.id);
  }),
  rules('A body is JSON: another content type is rejected.', async (context) => {
    const init = { body: 'external_id=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    assert.equal((await context.call('POST', '/contacts', init)).status, 415);
  }),
  rules('A body that is no JSON is rejected.', async (context) => {
    assert.equal((await context.call('POST', '/contacts', { body: '{"external_id":' })).status, 400);
  }),
  rules('The ids, times and lists of a response are texts, ISO 8601 and arrays.', async (context) => {
    const contact = await newContact(context);
    assert.equal(typeof contact.id, 'string');
    assert.equal(new Date(contact.created_at).toISOString(), contact.created_at);
  }),
];

/** The first call with an Idempotency-Key, and how the same call is sent again. */
const firstCall = async (context: StatementContext) => {
  const key = await context.spareKey();
  const external_id = context.unique('repeated-');
  const send = (more: object = {}, init: Partial<CallInit> = {}) => {
    const headers = { 'idempotency-key': external_id };
    return context.call('POST', '/contacts', { key, headers, body: { external_id, ...more }, ...init });
  };
  return { first: await send(), send };
};

const repeated = once(async (context) => {
  const { first, send } = await firstCall(context);
  const again = await send();
  const otherBody = await send({ name: 'Other' });
  const otherKey = await send({}, { headers: { 'idempotency-key': context.unique('other-') } });
  return { first, again, otherBody, otherKey };
});

/** A call that is repeated at the end of its day, and after it. */
const repeatedLate = once(async (context) => {
  const { first, send } = await firstCall(context);
  await context.advance(day - minute);
  const late = await send();
  await context.advance(2 * minute);
  return { first, late, tooLate: await send({ name: 'New window' }) };
});

/** A first call that runs while the second one with the same Idempotency-Key arrives. */
const racing = once(async (context) => {
  const agent = await context.someAgent();
  let held: any;
  const route = context.server.route('/racing', (response) => void (held = response));
  const config = { asked_by: ['Read the slow gauge'], timeout_ms: 5000 };
  const { body } = await create(context, agent, { name: 'read_gauge', url_template: route.url, config });
  await verifyHost(context, agent, body.id);
  await context.call('PATCH', `/agents/${agent}/actions/${body.id}`, { body: { enabled: true } });
  const key = await context.spareKey(true);
  const headers = { 'idempotency-key': context.unique('race-') };
  const send = () => context.chat('Read the slow gauge', { to: agent, key, headers });
  const first = send();
  await context.until(() => held !== undefined);
  const during = await send();
  held.end('{}');
  return { first: await first, during, after: await send() };
});

const idempotency: Statement[] = [
  ...about(rules, repeated, {
    'The same Idempotency-Key with the same body returns the first response.': ({ first, again }) =>
      assert.deepEqual([again.status, again.body], [first.status, first.body]),
    'A repeated response has the header Idempotent-Replayed, and the first one has not.': ({ first, again }) => {
      assert.equal(first.headers.get('idempotent-replayed'), null);
      assert.ok(again.headers.get('idempotent-replayed'));
    },
    'The same Idempotency-Key with another body returns 422 idempotency_key_reused.': ({ otherBody }) =>
      assertError(otherBody, 422, 'idempotency_key_reused'),
    'Another Idempotency-Key is another call.': ({ otherKey }) =>
      assert.deepEqual([otherKey.status, otherKey.headers.get('idempotent-replayed')], [200, null]),
  }),
  rules('An Idempotency-Key belongs to the key that sent it.', async (context) => {
    const { send } = await firstCall(context);
    const key = await context.makeKey({ scopes: ['contacts:write'] });
    const { status, body } = await send({ name: 'Free' }, { key });
    assert.deepEqual([status, body.name], [200, 'Free']);
  }),
  ...about(rules, racing, {
    'A call during the first one with its Idempotency-Key returns 409 idempotency_in_progress.': ({ during }) =>
      assertError(during, 409, 'idempotency_in_progress'),
    'After the first call has ended, its Idempotency-Key returns its response.': ({ first, after }) =>
      assert.deepEqual(after.body, first.body),
  }),
];

const limits = inSection('Limits');
const windows: Statement[] = [
  ...about(limits, repeatedLate, {
    'An Idempotency-Key returns the first response for 24 hours.': ({ first, late }) =>
      assert.deepEqual(late.body, first.body),
    'After 24 hours, an Idempotency-Key can be used again.': ({ tooLate }) =>
      assert.deepEqual([tooLate.status, tooLate.body.name], [200, 'New window']),
  }),
];

const versions = inSection('Versioning');
const versioning: Statement[] = [
  versions('The major version of the API is in the path prefix /api/v2.', async (context) => {
    const key = await context.spareKey();
    assert.equal((await context.send('GET', '/api/v2/me', { key })).status, 200);
    assert.equal((await context.send('GET', '/api/v1/me', { key })).status, 404);
    assert.equal((await context.send('GET', '/me', { key })).status, 404);
  }),
  versions('The version of the contract is 2026-10-01.', async (context) => {
    assert.equal(apiVersion, '2026-10-01');
    assert.equal((await context.call('GET', '/me')).headers.get('x-service-api-version'), '2026-10-01');
  }),
  versions('The service has every operation of the contract.', async (context) => {
    const { paths } = await context.get('/openapi.json', { key: null });
    const found = Object.entries(paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace('/api/v2', '')}`),
    );
    assert.deepEqual(
      operations.filter((operation) => !found.includes(operation)),
      [],
    );
  }),
  versions('GET /me returns the version of the contract too.', async (context) => {
    assert.equal((await context.get('/me')).api_version, '2026-10-01');
  }),
  versions('The deprecated name conversations_per_agent is still in the usage.', async (context) => {
    assert.ok('conversations_per_agent' in (await context.get('/usage')));
  }),
  ...operations.map((operation) =>
    versions(`Every response of ${operation} has X-Service-Api-Version.`, async (context) => {
      const [method = '', path = ''] = operation.split(' ');
      const filled = path.replace('{agent_id}', context.agentId).replace(/\{\w+\}/g, 'unknown');
      const body = method === 'POST' || method === 'PATCH' ? { body: {} } : {};
      const rejected = await context.call(method, filled, { ...body, key: null });
      const accepted = await context.call(method, filled, body);
      for (const { headers } of [rejected, accepted]) assert.equal(headers.get('x-service-api-version'), apiVersion);
    }),
  ),
];

const seesStream = async (context: StatementContext): Promise<Response> => {
  const body = { messages: [{ role: 'user', content: 'Hello' }], stream: true };
  const response = await context.send('POST', `/api/v2/agents/${context.agentId}/chat`, {
    key: await context.spareKey(true),
    body,
  });
  await response.text();
  return response;
};

const streamVersion: Statement[] = [
  versions('A streamed response has X-Service-Api-Version.', async (context) => {
    assert.equal((await seesStream(context)).headers.get('x-service-api-version'), apiVersion);
  }),
];

const visible = inSection('General rules');
const allowlists: Statement[] = [
  visible('A key with an allowlist sees only the data of those agents.', async (context) => {
    const agent = await context.someAgent();
    await context.chat('I want to talk to a human', { to: agent });
    const granted = ['agents:read', 'tickets:read', 'leads:read', 'conversations:read'] as const;
    const key = await context.makeKey({ scopes: granted, agentIds: [agent] });
    for (const path of ['/agents', '/tickets']) {
      const { data } = await context.get(path, { key });
      assert.deepEqual(
        data.map((each: any) => each.agent_id ?? each.id),
        [agent],
        path,
      );
    }
    assert.deepEqual((await context.get('/leads', { key })).data, []);
    assert.equal((await context.call('GET', `/agents/${context.agentId}/conversations`, { key })).status, 404);
  }),
];

export const commonStatements: Statement[] = [
  pages,
  idempotency,
  windows,
  versioning,
  streamVersion,
  allowlists,
].flat();
