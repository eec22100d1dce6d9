/** Checks every operation of a running service against its OpenAPI schemas, with generated requests. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import * as fc from 'fast-check';
import type { TestService } from './support.ts';

/** The complete list of the contract's operations, to detect added and removed ones. */
const operations = `
GET /me
GET /agents
GET /agents/{agent_id}
PATCH /agents/{agent_id}
GET /agents/{agent_id}/sources
POST /agents/{agent_id}/sources
GET /agents/{agent_id}/sources/{source_id}
PATCH /agents/{agent_id}/sources/{source_id}
DELETE /agents/{agent_id}/sources/{source_id}
GET /agents/{agent_id}/sources/{source_id}/content
POST /agents/{agent_id}/sources/questions
POST /agents/{agent_id}/chat
POST /agents/{agent_id}/chat/tool-results
GET /agents/{agent_id}/conversations
GET /conversations/{conversation_id}
GET /conversations/{conversation_id}/messages
GET /contacts
POST /contacts
GET /contacts/{contact_id}
PATCH /contacts/{contact_id}
DELETE /contacts/{contact_id}
GET /leads
GET /leads/{lead_id}
PATCH /leads/{lead_id}
DELETE /leads/{lead_id}
GET /agents/{agent_id}/lead-fields
GET /tickets
GET /tickets/{ticket_id}
PATCH /tickets/{ticket_id}
GET /agents/{agent_id}/actions
POST /agents/{agent_id}/actions
PATCH /agents/{agent_id}/actions/{action_id}
DELETE /agents/{agent_id}/actions/{action_id}
GET /agents/{agent_id}/actions/{action_id}/calls
GET /agents/{agent_id}/submissions
GET /usage
GET /webhooks
POST /webhooks
DELETE /webhooks/{webhook_id}`
  .trim()
  .split('\n')
  .toSorted((a, b) => a.localeCompare(b));

const callsEach = 50;
const base = '/api/v2';

export const describeContract = (start: () => Promise<TestService>): void => {
  let tested: TestService;
  let document: any;
  let keys: string[];
  let ids: Record<string, string>;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (formats as unknown as (ajv: Ajv2020) => void)(ajv);

  before(async () => {
    tested = await start();
    document = (await tested.call('GET', '/openapi.json')).body;
    ajv.addSchema(document, 'document');
    const { secretKey: key, publishableKey } = tested.service.demo;
    const limited = await tested.makeKey({ scopes: ['contacts:write', 'agents:read'], agentIds: [tested.agentId] });
    keys = [key, key, key, key, key, key, publishableKey, limited, 'svc_sk_unknown', ''];
    const { body } = await tested.chat('I want a custom order', { key });
    const conversation_id = body.conversation_id;
    const filled = 'Name: Huda\nPhone: 92223333\nWhat to make: Tiles\nHow many: 1';
    await tested.chat(filled, { key, conversation_id });
    await tested.chat('I want to talk to a human', { key, conversation_id });
    const first = async (path: string) => (await tested.call('GET', path, { key })).body.data[0].id;
    ids = {
      agent_id: tested.agentId,
      conversation_id,
      source_id: 'src_shop_en',
      action_id: 'act_order_status',
      lead_id: await first('/leads'),
      contact_id: await first('/contacts'),
      ticket_id: await first('/tickets'),
      webhook_id: 'whk_none',
    };
  });
  after(() => tested.service.close());

  it('describes exactly the 39 operations of the contract in the OpenAPI document', () => {
    const found = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.slice(base.length)}`),
    );
    assert.deepEqual(
      found.toSorted((a, b) => a.localeCompare(b)),
      operations,
    );
    assert.equal(operations.length, 39);
  });

  /** Generates a value that usually fits the schema and sometimes does not. */
  const fitting = (schema: any): fc.Arbitrary<unknown> => {
    if (schema.$ref) return fitting(resolve(schema.$ref));
    return fc.oneof({ weight: 12, arbitrary: good(schema) }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) });
  };

  const resolve = (ref: string) =>
    ref
      .slice(2)
      .split('/')
      .reduce((within: any, name) => within[name], document);

  const good = (schema: any): fc.Arbitrary<unknown> => {
    const { type, properties = {}, required = [], items = {}, maxLength = 60, additionalProperties } = schema;
    const either = schema.anyOf ?? schema.oneOf;
    if (either) return fc.oneof(...either.map(fitting));
    if (schema.allOf)
      return fc.tuple(...schema.allOf.map(good)).map((each) => Object.assign({}, ...(each as object[])));
    if ('const' in schema) return fc.constant(schema.const);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    switch (Array.isArray(type) ? type[0] : type) {
      case 'object':
        return Object.keys(properties).length > 0 || !additionalProperties
          ? fc.record(Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, fitting(each)])), {
              requiredKeys: required,
            })
          : fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), fitting(additionalProperties), { maxKeys: 4 });
      case 'array':
        return fc.array(fitting(items), { maxLength: 3, minLength: schema.minItems ?? 0 });
      case 'string':
        return schema.pattern
          ? fc.stringMatching(new RegExp(schema.pattern)).filter((text) => text.length <= maxLength)
          : fc.string({ unit: 'binary', maxLength: Math.min(maxLength, 40), minLength: schema.minLength ?? 0 });
      case 'integer':
        return fc.integer({ min: -5, max: 200 });
      case 'number':
        return fc.double({ noNaN: true });
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      default:
        return fc.jsonValue({ maxDepth: 2 });
    }
  };

  const compiled = new Map<string, ValidateFunction>();

  const refuseUndeclared = (method: string, path: string, status: number, type: string, text: string): void => {
    const { responses } = document.paths[path][method];
    const declared = responses[status];
    assert.ok(declared, `${method} ${path} answered ${status}, which the document does not declare: ${text}`);
    assert.ok(status < 500, `${method} ${path} answered ${status}: ${text}`);
    if (!declared.content) return assert.equal(text, '');
    if (type !== 'application/json') return assert.ok(declared.content[type], type);
    const escaped = path.replaceAll('~', '~0').replaceAll('/', '~1');
    const pointer = `document#/paths/${escaped}/${method}/responses/${status}/content/application~1json/schema`;
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: pointer });
    compiled.set(pointer, validate);
    return assert.ok(
      validate(JSON.parse(text)),
      `${method} ${path} ${status}: ${ajv.errorsText(validate.errors)} in ${text}`,
    );
  };

  describe('responses to random requests match the OpenAPI document', () => {
    for (const each of operations.toSorted((a, b) => Number(a.startsWith('DELETE')) - Number(b.startsWith('DELETE')))) {
      it(each, async () => {
        const [verb, short] = each.split(' ') as [string, string];
        const [method, path] = [verb.toLowerCase(), base + short];
        const operation = document.paths[path][method];
        const bodySchema = operation.requestBody?.content['application/json'].schema;
        const queries = (operation.parameters ?? []).filter((parameter: any) => parameter.in === 'query');
        const query = fc.record(
          Object.fromEntries(queries.map(({ name, schema }: any) => [name, fitting(schema)])) as Record<
            string,
            fc.Arbitrary<unknown>
          >,
          { requiredKeys: [] },
        );
        const strange = fc.oneof(
          { weight: 6, arbitrary: fc.constant(null) },
          { weight: 1, arbitrary: fc.string({ minLength: 1, unit: 'binary' }) },
        );
        await fc.assert(
          fc.asyncProperty(
            bodySchema ? fitting(bodySchema) : fc.constant(undefined),
            query,
            fc.constantFrom(...keys),
            strange,
            fc.constantFrom('en', 'ar'),
            async (body, asked, key, other, language) => {
              tested.nextMinute();
              const filled = short.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(other ?? ids[name]!));
              const search = new URLSearchParams(
                Object.entries(asked).map(([name, value]) => [
                  name,
                  typeof value === 'string' ? value : JSON.stringify(value),
                ]),
              );
              const response = await tested.service.fetch(
                tested.request(verb, `${filled}?${search.toString()}`, {
                  ...(key === '' ? {} : { key }),
                  ...(bodySchema ? { body: JSON.stringify(body) } : {}),
                  headers: { 'accept-language': language },
                }),
              );
              assert.equal(response.headers.get('x-service-api-version'), '2026-10-01');
              const type = response.headers.get('content-type')?.split(';')[0] ?? '';
              refuseUndeclared(method, path, response.status, type, await response.text());
            },
          ),
          { numRuns: callsEach },
        );
      });
    }
  });
};
