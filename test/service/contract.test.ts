/** Checks every operation of a running service against its OpenAPI schemas, with generated requests. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { base, OpenApiDocument } from './openapi-document.ts';
import { operations } from './operations.ts';
import { startBefore, useTestService, type TestService } from './support.ts';

/** Random calls of each operation. */
const callsEach = process.env['IS_QUICK'] ? 15 : 50;

/** Creates resources of each kind, and returns their ids by the names of the path parameters. */
const createResources = async (tested: TestService): Promise<Record<string, string>> => {
  const { secretKey: key } = tested.service.demo;
  const { body } = await tested.chat('I want a custom order', { key });
  const conversation_id = body.conversation_id;
  const filled = 'Name: Huda\nPhone: 92223333\nWhat to make: Tiles\nHow many: 1';
  await tested.chat(filled, { key, conversation_id });
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
let document: OpenApiDocument;
let keys: string[];
let ids: Record<string, string>;

startBefore(async () => {
  document = new OpenApiDocument((await tested.call('GET', '/openapi.json')).body);
  keys = await createKeys(tested);
  ids = await createResources(tested);
});

it('describes exactly the 39 operations of the contract in the OpenAPI document', () => {
  assert.deepEqual(
    document.operations.toSorted((a, b) => a.localeCompare(b)),
    operations,
  );
  assert.equal(operations.length, 39);
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
