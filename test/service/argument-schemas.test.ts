import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { argumentError, type ModelFunction } from '../../service/model/functions.ts';
import { limit } from '../support/time-limits.ts';

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

const functionOf = (inputSchema: object): ModelFunction => ({
  name: 'order',
  description: '',
  parameters: { type: 'object', properties: {}, ...inputSchema },
});

it('validates the arguments of a model by the schema of the action', () => {
  const order = functionOf({ properties: { number: { type: 'string' } }, required: ['number'] });
  for (let turn = 0; turn < 2; turn++) {
    assert.equal(argumentError(order, { number: '1042' }), undefined);
    assert.match(argumentError(order, { number: 1042 })!, /number must be string/);
    assert.match(argumentError(order, {})!, /required property/);
  }
  assert.equal(argumentError(functionOf({ type: 'unknown' }), {}), undefined);
});

it('validates at once by a schema that is marked as asynchronous', () => {
  const order = functionOf({ $async: true, required: ['number'] });
  assert.match(argumentError(order, {})!, /required property/);
  assert.equal(argumentError(order, { number: '1042' }), undefined);
});

it('does not run the regular expressions of a schema, which could stop the service', () => {
  const text = `${'a'.repeat(40)}!`;
  const started = performance.now();
  assert.equal(argumentError(functionOf({ properties: { text: { pattern: '^(a+)+$' } } }), { text }), undefined);
  const named = functionOf({ patternProperties: { '^(a+)+$': { type: 'string' } }, additionalProperties: false });
  assert.equal(argumentError(named, { [text]: 'x' }), undefined);
  assert.ok(performance.now() - started < limit(1000));
});

/** The script heap in MB after a garbage collection. */
const heapOf = () => {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1024 / 1024;
};

/** Each call has an object of its own, like each turn. `schemas` is the number of different schemas. */
const validateOften = (calls: number, schemas: number) => {
  for (let call = 0; call < calls; call++) {
    const number = call % schemas;
    assert.equal(argumentError(functionOf({ properties: { number: { const: number } } }), { number }), undefined);
  }
};

for (const [what, schemas, growth] of [
  ['turns with the same schema', 1, 2],
  // About 500 validators are in memory, before and after.
  ['schemas', 2000, 4],
] as const) {
  it(`uses no more memory after many ${what}`, () => {
    validateOften(1200, schemas);
    const before = heapOf();
    validateOften(2000, schemas);
    assert.ok(heapOf() - before < growth, `${heapOf() - before} MB`);
  });
}
