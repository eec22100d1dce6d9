/** The OpenAPI document of a service: generates values for its schemas, and checks responses against them. */
import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import * as fc from 'fast-check';

export const base = '/api/v2';

const ofText = ({ pattern, maxLength = 60, minLength = 0 }: any): fc.Arbitrary<string> =>
  pattern
    ? fc.stringMatching(new RegExp(pattern)).filter((text) => text.length <= maxLength)
    : fc.string({ unit: 'binary', maxLength: Math.min(maxLength, 40), minLength });

export class OpenApiDocument {
  readonly #document: any;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(document: any) {
    this.#document = document;
    (formats as unknown as (ajv: Ajv2020) => void)(this.#ajv);
    this.#ajv.addSchema(document, 'document');
  }

  /** The operations of the document, as `METHOD /path` without the prefix of the API. */
  get operations(): string[] {
    return Object.entries<object>(this.#document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.slice(base.length)}`),
    );
  }

  /** Returns generators for the body and the query parameters of an operation. `body` is null without a body. */
  requestOf(path: string, method: string): { body: fc.Arbitrary<unknown> | null; query: fc.Arbitrary<object> } {
    const { requestBody, parameters = [] } = this.#document.paths[path][method];
    const queries = parameters.filter((parameter: any) => parameter.in === 'query');
    const entries = queries.map(({ name, schema }: any) => [name, this.#fitting(schema)]);
    return {
      body: requestBody ? this.#fitting(requestBody.content['application/json'].schema) : null,
      query: fc.record(Object.fromEntries(entries) as Record<string, fc.Arbitrary<unknown>>, { requiredKeys: [] }),
    };
  }

  /** Fails when the document does not declare the response, or when the response does not match its schema. */
  assertDeclares(method: string, path: string, status: number, type: string, text: string): void {
    const declared = this.#document.paths[path][method].responses[status];
    assert.ok(declared, `${method} ${path} returned ${status}, which the document does not declare: ${text}`);
    assert.ok(status < 500, `${method} ${path} returned ${status}: ${text}`);
    if (!declared.content) return assert.equal(text, '');
    if (type !== 'application/json') return assert.ok(declared.content[type], type);
    const escaped = path.replaceAll('~', '~0').replaceAll('/', '~1');
    const pointer = `document#/paths/${escaped}/${method}/responses/${status}/content/application~1json/schema`;
    const validate = this.#compiled.get(pointer) ?? this.#ajv.compile({ $ref: pointer });
    this.#compiled.set(pointer, validate);
    return assert.ok(
      validate(JSON.parse(text)),
      `${method} ${path} ${status}: ${this.#ajv.errorsText(validate.errors)} in ${text}`,
    );
  }

  /** Generates a value that usually fits the schema and sometimes does not. */
  #fitting(schema: any): fc.Arbitrary<unknown> {
    if (schema.$ref) return this.#fitting(this.#resolve(schema.$ref));
    return fc.oneof(
      { weight: 12, arbitrary: this.#valid(schema) },
      { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
    );
  }

  #resolve(ref: string): any {
    return ref
      .slice(2)
      .split('/')
      .reduce((within: any, name) => within[name], this.#document);
  }

  #valid(schema: any): fc.Arbitrary<unknown> {
    const { type, items = {}, anyOf, oneOf, allOf } = schema;
    const either = anyOf ?? oneOf;
    if (either) return fc.oneof(...either.map((each: any) => this.#fitting(each)));
    if (allOf)
      return fc
        .tuple(...allOf.map((each: any) => this.#valid(each)))
        .map((each) => Object.assign({}, ...(each as object[])));
    if ('const' in schema) return fc.constant(schema.const);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    switch (Array.isArray(type) ? type[0] : type) {
      case 'object':
        return this.#validObject(schema);
      case 'array':
        return fc.array(this.#fitting(items), { maxLength: 3, minLength: schema.minItems ?? 0 });
      case 'string':
        return ofText(schema);
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
  }

  #validObject({ properties = {}, required = [], additionalProperties }: any): fc.Arbitrary<unknown> {
    if (Object.keys(properties).length === 0 && additionalProperties)
      return fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), this.#fitting(additionalProperties), { maxKeys: 4 });
    const fields = Object.entries(properties).map(([name, each]) => [name, this.#fitting(each)]);
    return fc.record(Object.fromEntries(fields), { requiredKeys: required });
  }
}
