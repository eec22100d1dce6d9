/** Checks every operation of a running service against its OpenAPI schemas, with generated requests. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { base, OpenApiDocument } from './openapi-document.ts';
import { operations } from './operations.ts';
import { submitOrder } from './scenarios.ts';
import { startBefore, useTestService, type TestService } from './support.ts';

/** Random calls of each operation. */
const callsEach = process.env['IS_QUICK'] ? 15 : 50;

/** Creates resources of each kind, and returns their ids by the names of the path parameters. */
const createResources = async (tested: TestService): Promise<Record<string, string>> => {
  const { secretKey: key } = tested.service.demo;
  const { conversation_id } = await submitOrder(tested);
  await tested.chat('I want to talk to a human', { key, conversation_id });
  const first = async (path: string) => (await tested.call('GET', path, { key })).body.data[0].id;
  return {
    agent_id: tested.agentId,
    conversation_id,
    source_id: 'src_shop_en',
    action_id: 'act_order_status',
    lead_id: await first('/leads'),
    contact_id: await first('/contacts'),
    ticket_id: await first('/tickets'),
    webhook_id: 'whk_none',
  };
};

/** Returns keys of all kinds. The key with every scope occurs most often. */
const createKeys = async (tested: TestService): Promise<string[]> => {
  const { secretKey: key, publishableKey } = tested.service.demo;
  const limited = await tested.makeKey({ scopes: ['contacts:write', 'agents:read'], agentIds: [tested.agentId] });
  return [key, key, key, key, key, key, publishableKey, limited, 'svc_sk_unknown', ''];
};

const searchOf = (query: object): string =>
  new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  ).toString();

const tested = useTestService();
/** The document as it is served. */
let raw: any;
let described: [name: string, operation: any][];
let document: OpenApiDocument;
let keys: string[];
let ids: Record<string, string>;

startBefore(async () => {
  raw = (await tested.call('GET', '/openapi.json')).body;
  described = Object.entries<object>(raw.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, any] => [`${method} ${path}`, operation]),
  );
  document = new OpenApiDocument(raw);
  keys = await createKeys(tested);
  ids = await createResources(tested);
});

describe('the OpenAPI document', () => {
  it('has the errors that every operation may have, and a group, for each operation', () => {
    for (const [name, { responses, tags }] of described) {
      for (const status of ['400', '401', '403', '404', '405', '413', '415', '422', '429', '500', '503']) {
        assert.ok(status in responses, `${name} ${status}`);
      }
      assert.equal(tags.length, 1, name);
    }
  });

  it('describes its license, each operation and each group of operations', () => {
    assert.deepEqual([raw.openapi, raw.info.version], ['3.1.0', '2026-10-01']);
    assert.equal(raw.info.license.name, 'MIT');
    const chat = raw.paths['/api/v2/agents/{agent_id}/chat'].post;
    assert.deepEqual(chat.security, [{ key: ['chat'] }]);
    assert.deepEqual(Object.keys(chat.responses['200'].content), ['application/json', 'text/event-stream']);
    for (const [name, { summary, description }] of described) assert.ok(summary && description, name);
    const groups = (raw.tags as { name: string; description: string }[]).map(({ name }) => name);
    assert.deepEqual(new Set(groups), new Set(described.flatMap(([, { tags }]) => tags)));
  });

  it('has no enumeration with null, which generators of clients reject', () => {
    assert.doesNotMatch(JSON.stringify(raw), /"enum":\[[^\]]*null/);
  });

  it('has the header Idempotency-Key for each operation that can be repeated under it, and for no other', () => {
    const folder = new URL('../../service/routes/', import.meta.url);
    const repeatable = readdirSync(folder).flatMap((file) =>
      readFileSync(new URL(file, folder), 'utf8')
        .split(/^const (?=\w+Route = )/m)
        .filter((declaration) => declaration.includes('runOnce<'))
        .map((declaration) => /operationId: '(\w+)'/.exec(declaration)![1]!),
    );
    const documented = described.filter(([, { parameters = [] }]) =>
      parameters.some(({ name }: { name: string }) => name === 'Idempotency-Key'),
    );
    assert.deepEqual(documented.map(([, { operationId }]) => String(operationId)).toSorted(), repeatable.toSorted());
    assert.ok(repeatable.includes('chat'));
  });

  it('has exactly the 39 operations of the contract', () => {
    assert.deepEqual(
      document.operations.toSorted((a, b) => a.localeCompare(b)),
      operations,
    );
    assert.equal(operations.length, 39);
  });
});

/** Path parameters are usually the ids of existing resources. */
const strange = fc.oneof(
  { weight: 6, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.string({ minLength: 1, unit: 'binary' }) },
);

const checkOperation = async (verb: string, short: string): Promise<void> => {
  const [method, path] = [verb.toLowerCase(), base + short];
  const { body, query } = document.requestOf(path, method);
  const languages = fc.constantFrom('en', 'ar');
  const request = fc.tuple(body ?? fc.constant(undefined), query, fc.constantFrom(...keys), strange, languages);
  const property = fc.asyncProperty(request, async ([given, asked, key, other, language]) => {
    tested.nextMinute();
    const filled = short.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(other ?? ids[name]!));
    const response = await tested.service.fetch(
      tested.request(verb, `${filled}?${searchOf(asked)}`, {
        ...(key === '' ? {} : { key }),
        ...(body ? { body: JSON.stringify(given) } : {}),
        headers: { 'accept-language': language },
      }),
    );
    assert.equal(response.headers.get('x-service-api-version'), '2026-10-01');
    const type = response.headers.get('content-type')?.split(';')[0] ?? '';
    document.assertDeclares(method, path, response.status, type, await response.text());
  });
  await fc.assert(property, { numRuns: callsEach });
};

describe('responses to random requests match the OpenAPI document', () => {
  for (const each of operations.toSorted((a, b) => Number(a.startsWith('DELETE')) - Number(b.startsWith('DELETE')))) {
    const [verb, path] = each.split(' ') as [string, string];
    it(each, () => checkOperation(verb, path));
  }
});
